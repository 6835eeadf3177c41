import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';

import { Badges, type Colleague } from './badges.service.js';

/** An ordinary guard of Nest; it gets Node's own request and response. */
@Injectable()
export class BadgeGuard implements CanActivate {
  constructor(private readonly badges: Badges) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<IncomingMessage & { mcpAuth?: Colleague }>();
    const [, badge = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
    const colleague = this.badges.find(badge);
    if (colleague === undefined) {
      http.getResponse<ServerResponse>().setHeader('WWW-Authenticate', 'Bearer');
      throw new UnauthorizedException('Show your badge');
    }
    request.mcpAuth = colleague;
    return true;
  }
}
