import { Controller, Get, Inject, Injectable, type CanActivate } from '@nestjs/common';

import type { McpHttpOptions, McpLimitOptions } from '../../lib/index.js';
import { deskApp } from './desk.module.js';
import { Gate } from './gate.js';
import { bytesOf } from './listener-app.js';
import { mcpRequest } from './mcp-request.js';
import { RawConnection } from './raw-http.js';
import type { ServedApp } from './served-app.js';

const LIST = mcpRequest('tools/list');

/** A route of the app that is no business of the library. */
@Injectable()
export class Held {
  readonly asked = new Gate();
  readonly release = new Gate<string>();
}

@Controller()
class HeldController {
  constructor(@Inject(Held) private readonly held: Held) {}

  @Get('held')
  answer(): Promise<string> {
    this.held.asked.open();
    return this.held.release.opened;
  }
}

/** Never decides by itself. */
export class Undecided implements CanActivate {
  readonly asked = new Gate();
  readonly verdict = new Gate<boolean>();

  canActivate(): Promise<boolean> {
    this.asked.open();
    return this.verdict.opened;
  }
}

export const appOf = (http: McpHttpOptions, limits: McpLimitOptions = {}) =>
  deskApp({ http, limits }, { providers: [Held], controllers: [HeldController] });

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** An answer on a second connection tells that the first has been read. */
export async function settle(served: ServedApp): Promise<void> {
  using second = await RawConnection.open(served.origin);
  second.write(bytesOf(LIST));
  await second.answer();
}
