import { Inject, Injectable } from '@nestjs/common';

import type { McpInputHandlers } from './client/input-handlers.js';
import { HandlerResponder, type InputResponder } from './client/input.responder.js';
import { McpClient } from './client/mcp.client.js';
import { CurrentClientCodec } from './dialects/dialect.catalog.js';
import { InvalidOptionsError } from './errors/invalid-options.error.js';
import { MCP_SETTINGS } from './mcp.constants.js';
import type { Implementation } from './model/peer.js';
import type { McpSettings } from './options/settings.js';
import { ExchangeHandler } from './server/exchange.handler.js';
import { SubscriptionHub } from './subscriptions/subscription.hub.js';
import { InProcessTransport } from './transports/in-process/in-process.transport.js';
import type { StdioHost, StdioServer } from './transports/stdio/stdio-host.interface.js';

/**
 * Who calls a server from within its own process.
 *
 * @publicApi
 */
export interface McpConnectOptions {
  /**
   * Who calls, as a guard would have left it on the request: in `ctx.auth`, and on the request under `auth.property`.
   *
   * @default nobody
   */
  auth?: unknown;
  /** Headers of the request that guards see. */
  headers?: Readonly<Record<string, string>>;
  /** Other properties of the request that guards see, such as `session`. */
  request?: Readonly<Record<string, unknown>>;
  /** Name and version of the client. */
  client?: Implementation;
  /** Answers what the server asks during a call. */
  inputs?: McpInputHandlers;
}

const KNOWN = ['auth', 'headers', 'request', 'client', 'inputs'];

/**
 * An MCP server of this app.
 *
 * @publicApi
 */
@Injectable()
export class McpServer implements StdioServer {
  /** @internal */
  constructor(
    private readonly transport: InProcessTransport,
    private readonly exchanges: ExchangeHandler,
    private readonly hub: SubscriptionHub,
    @Inject(MCP_SETTINGS) private readonly settings: McpSettings,
  ) {}

  /** Whether the app has started and not closed yet. */
  get isOpen(): boolean {
    return this.transport.isOpen;
  }

  /**
   * A client in this process, without sockets: every message takes the way of the others, from its text to the handler and
   * back. Guards of components run, and see a request that stands for one of HTTP; those of the endpoint do not.
   *
   * @throws InvalidOptionsError
   */
  connect(options: McpConnectOptions = {}): McpClient {
    return new McpClient(...this.wayIn(options));
  }

  /** @internal */
  stdioHost(): StdioHost {
    const { exchanges, hub, settings } = this;
    const { properties, drainTimeoutMs } = settings;
    return { exchanges, properties, drainTimeoutMs, completeSubscriptions: () => hub.complete() };
  }

  /** @internal */
  wayIn(options: McpConnectOptions, responder?: InputResponder): ConstructorParameters<typeof McpClient> {
    const unknown = Object.keys(options).find((name) => !KNOWN.includes(name));
    if (unknown !== undefined) {
      throw new InvalidOptionsError(`connect.${unknown}`, `there is no such option. Known are ${KNOWN.join(', ')}.`);
    }
    const { auth, headers = {}, request = {}, client, inputs } = options;
    const answering = responder ?? (inputs === undefined ? undefined : new HandlerResponder(inputs));
    const strange = Object.entries(headers).find(([, value]) => typeof value !== 'string');
    if (strange !== undefined) {
      throw new InvalidOptionsError(`connect.headers.${strange[0]}`, 'it must be a string.');
    }
    const properties = { ...request, ...this.transport.propertiesOf(auth) };
    const link = this.transport.connect({ headers: { ...headers }, properties });
    const capabilities = answering?.capabilities ?? {};
    const identity = { capabilities, ...(client === undefined ? {} : { info: client }) };
    return [link, new CurrentClientCodec(), identity, answering];
  }
}
