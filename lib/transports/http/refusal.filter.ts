import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';

import type { Refusal } from '../../wire/exchange.js';
import { refusalHeaders } from './http.door.js';
import type { HttpPlatform } from '../platforms/http-platform.js';

/** Carries a refusal from the admission guard to the filter below. */
export class RefusedExchange extends Error {
  constructor(readonly refusal: Refusal) {
    super('The request was refused before its handler ran.');
  }
}

/** Bound to the endpoint itself, so that no global filter can turn JSON-RPC errors into an envelope of its own. */
@Catch(RefusedExchange)
export class RefusalFilter implements ExceptionFilter<RefusedExchange> {
  constructor(private readonly platform: () => HttpPlatform) {}

  catch({ refusal }: RefusedExchange, host: ArgumentsHost): void {
    const platform = this.platform();
    const http = host.switchToHttp();
    const answer = { status: refusal.status, headers: refusalHeaders(refusal), body: refusal.body ?? '' };
    platform.send(http.getResponse(), answer);
  }
}
