import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Observable } from 'rxjs';

import type { McpConnectOptions } from './client/connect-options.js';
import { HandlerResponder, type InputResponder } from './client/input.responder.js';
import { McpClient } from './client/mcp.client.js';
import { CurrentClientCodec } from './dialects/supported-revisions.js';
import { InvalidOptionsError } from './errors/invalid-options.error.js';
import { MCP_SETTINGS } from './mcp.constants.js';
import { refuseUnknown } from './options/option-rules.js';
import type { McpSettings } from './options/settings.js';
import { ExchangeHandler } from './server/exchange.handler.js';
import type { Admitted, Prepared } from './server/prepared.js';
import { SubscriptionHub } from './subscriptions/subscription.hub.js';
import { InProcessTransport } from './transports/in-process/in-process.transport.js';
import { ListenerTransport } from './transports/listener/listener.transport.js';
import { NodeTransport, type NodeRequest, type NodeResponse } from './transports/listener/node.transport.js';
import type { StdioHost, StdioServer } from './transports/stdio/stdio-host.interface.js';
import { authProperties } from './transports/trusted-properties.js';
import { WebTransport } from './transports/web/web.transport.js';
import type { Exchange, OutgoingMessage, Refusal } from './wire/exchange.js';
import { INTERNAL_ERROR } from './wire/json-rpc.js';
import { encodeError } from './wire/json-rpc.codec.js';

/**
 * The sender of a web-standard request, as its host knows it.
 *
 * @publicApi
 */
export interface McpRequestCaller extends Pick<McpConnectOptions, 'auth' | 'request'> {
  /**
   * IP address of the client, without a port. Guards get it as `request.ip`. Anonymous callers are counted by it: in
   * rate limits, and for their share of places and of the queue.
   *
   * unknown; all anonymous requests without an address count as one caller
   */
  address?: string | undefined;
}

/**
 * Why a host does not run a request.
 *
 * @publicApi
 */
export interface McpRejection {
  /** HTTP status, for hosts that have one. */
  readonly status: number;
  readonly message: string;
  /**
   * Code of the JSON-RPC error.
   *
   * @default -32603
   */
  readonly code?: number;
  readonly data?: unknown;
}

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
    private readonly web: WebTransport,
    private readonly node: NodeTransport,
    private readonly hub: SubscriptionHub,
    @Inject(MCP_SETTINGS) private readonly settings: McpSettings,
    @Optional() @Inject(ListenerTransport) private readonly listener: ListenerTransport | undefined,
  ) {}

  /** Whether the app has started and not yet closed. */
  get isOpen(): boolean {
    return this.transport.isOpen;
  }

  /** URL of the own listener, with its actual port; `undefined` before it listens and after it closed. */
  get listenerUrl(): string | undefined {
    return this.listener?.url;
  }

  /**
   * Connects a client in this process, without sockets. Every message is encoded, decoded and handled as on every other
   * transport. Guards of components run, with a stand-in for the HTTP request; guards of the endpoint do not run.
   *
   * @throws InvalidOptionsError
   */
  connect(options: McpConnectOptions = {}): McpClient {
    return new McpClient(...this.wayIn(options));
  }

  /**
   * Answers a web-standard request, for Hono, Deno, edge runtimes and other web-standard servers. Method, Origin, body
   * and headers are checked as at the endpoint; the host has to check the path and the caller. A stream follows the
   * pace of its reader, and ends if nothing is read for `http.writeTimeoutMs`.
   *
   * @example
   * ```ts
   * hono.all('/mcp', (context) => {
   *   const { address } = getConnInfo(context).remote;
   *   return server.handleRequest(context.req.raw, { auth: context.get('user'), address });
   * });
   * ```
   * Never rejects: failures are answered, too.
   */
  handleRequest(request: Request, caller: McpRequestCaller = {}): Promise<Response> {
    return this.web.handle(request, caller);
  }

  /**
   * Answers a request of your own Node server: `node:http`, or a server with the same objects. Your server handles path
   * and connections, everything else is as at the own listener. The caller is what your code stored as `mcpAuth`.
   */
  handleNode(request: NodeRequest, response: NodeResponse): void {
    this.node.handle(request, response);
  }

  /**
   * Admits and decodes one message of another host, without running a handler. A refusal is returned as a value.
   *
   * @throws ServerNotReadyError, ServerClosedError
   */
  prepare(exchange: Exchange): Promise<Prepared> | Prepared {
    this.requireOpen();
    return this.exchanges.prepare(exchange);
  }

  /**
   * Runs a prepared message on subscription. A request emits zero or more notifications, then the response;
   * unsubscribing cancels it, and so does the signal: the Observable then fails with its reason. A notification takes
   * effect and emits nothing. Call `written` of each message after it was written.
   */
  execute(prepared: Admitted, { signal }: { readonly signal?: AbortSignal } = {}): Observable<OutgoingMessage> {
    return this.exchanges.execute(prepared, signal);
  }

  /**
   * The answer of a host that does not run a prepared message, for example when it is busy: a JSON-RPC error with the
   * request's id, or no body for a notification.
   */
  reject(prepared: Prepared, { status, message, code = INTERNAL_ERROR, data }: McpRejection): Refusal {
    if (prepared.kind !== 'request') return { status };
    return {
      status,
      body: encodeError(prepared.request.id, { code, message, ...(data === undefined ? {} : { data }) }),
    };
  }

  /** @internal */
  stdioHost(): StdioHost {
    const { exchanges, hub, settings } = this;
    const { properties, drainTimeoutMs } = settings;
    return { exchanges, properties, drainTimeoutMs, completeSubscriptions: () => hub.complete() };
  }

  /** @internal */
  wayIn(options: McpConnectOptions, responder?: InputResponder): ConstructorParameters<typeof McpClient> {
    refuseUnknown(options, 'connect');
    const { auth, headers = {}, request = {}, client, inputs } = options;
    const answering = responder ?? (inputs === undefined ? undefined : new HandlerResponder(inputs));
    const strange = Object.entries(headers).find(([, value]) => typeof value !== 'string');
    if (strange !== undefined) {
      throw new InvalidOptionsError(`connect.headers.${strange[0]}`, 'it must be a string.');
    }
    const properties = { ...request, ...authProperties(this.settings.properties, auth) };
    const link = this.transport.connect({ headers: { ...headers }, properties });
    const capabilities = answering?.capabilities ?? {};
    const identity = { capabilities, ...(client === undefined ? {} : { info: client }) };
    return [link, new CurrentClientCodec(), identity, answering];
  }

  private requireOpen(): void {
    const refusal = this.transport.refuse();
    if (refusal !== undefined) throw refusal;
  }
}
