import {
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';

export interface User {
  readonly name: string;
  readonly isManager: boolean;
}

interface ApiRequest {
  readonly headers: Readonly<Record<string, unknown>>;
  user?: User;
}

/** A real app would read keys from a database. */
const USERS: ReadonlyMap<unknown, User> = new Map([
  ['key-of-kim', { name: 'Kim', isManager: false }],
  ['key-of-lee', { name: 'Lee', isManager: true }],
]);

/** Written for the API: it knows nothing about MCP. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const user = USERS.get(request.headers['x-api-key']);
    if (user === undefined) throw new UnauthorizedException('Send your key in the header x-api-key');
    request.user = user;
    return true;
  }
}

@Injectable()
export class ManagerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<ApiRequest>();
    if (user?.isManager !== true) throw new ForbiddenException('Only managers cancel orders');
    return true;
  }
}
