import type { DynamicModule, INestApplication, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { getMcpToken, type McpListenerOptions, McpServer } from '../../lib/index.js';
import { Desk, deskApp, type DeskOptions } from './desk.module.js';
import { LeakWatch } from './leak-watch.js';
import type { PostedRequest } from './mcp-request.js';
import { linesOf, RawConnection, rawHead, type RawAnswer } from './raw-http.js';
import { ServedApp } from './served-app.js';

/** An app without an HTTP framework, reached by its own listener: `await using app = await listen(...)`. */
export class ListenerApp extends ServedApp {
  get desk(): Desk {
    return this.app.get(Desk, { strict: false });
  }

  get listenerUrl(): string | undefined {
    return this.app.get<McpServer>(getMcpToken(McpServer), { strict: false }).listenerUrl;
  }

  /** Without TLS, whatever the listener speaks. */
  connect(options?: { allowHalfOpen?: boolean }): Promise<RawConnection> {
    return RawConnection.open(this.origin, { isSecure: false, ...options });
  }

  /** One request on a connection of its own, and its answer. */
  async ask(posted: PostedRequest): Promise<RawAnswer> {
    using connection = await this.connect();
    connection.write(bytesOf(posted));
    // Awaited here, since the connection goes with this block.
    return await connection.answer();
  }
}

export async function listen(
  module: Type<unknown> | DynamicModule,
  logger: LoggerService | false = false,
): Promise<ListenerApp> {
  const watch = new LeakWatch();
  const app = await NestFactory.createApplicationContext(module, { logger, abortOnError: false });
  const url = new URL(app.get<McpServer>(getMcpToken(McpServer), { strict: false }).listenerUrl ?? '');
  watch.started(app);
  return new ListenerApp(app as INestApplication, url.origin, url.pathname, watch);
}

/** The desk with a listener at any free port. */
export function listenerDesk(
  listener: Partial<McpListenerOptions> = {},
  options: DeskOptions = {},
  around?: Parameters<typeof deskApp>[1],
): DynamicModule {
  return deskApp({ http: false, listener: { port: 0, ...listener }, ...options }, around);
}

export const bytesOf = ({ headers, body }: PostedRequest): string =>
  rawHead({ headers: linesOf({ headers, body }), body }) + body;
