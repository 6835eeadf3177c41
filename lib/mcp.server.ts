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
 * Who sent a web-standard request, as its host knows it.
 *
 * @publicApi
 */
export interface McpRequestCaller extends Pick<McpConnectOptions, 'auth' | 'request'> {
  /**
   * IP address of the client, without a port. Guards find it as `request.ip`, and a caller without a name is counted by
   * it: in rate limits, and for its share of places and of the queue.
   *
   * @default nobody knows; all requests without a name and an address count as one caller
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

  /** Whether the app has started and not closed yet. */
  get isOpen(): boolean {
    return this.transport.isOpen;
  }

  /** Where the own listener takes requests, with the port that it got; `undefined` before it listens and after it closed. */
  get listenerUrl(): string | undefined {
    return this.listener?.url;
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

  /**
   * Answers a web-standard request, for Hono, Deno, edge runtimes and every other server that has these. Method, Origin, body
   * and headers are checked as at the endpoint; the path and who calls are the host's to check. A stream moves at the pace of
   * its reader, and is given up when nobody reads it for `http.writeTimeoutMs`.
   *
   * @example
   * ```ts
   * hono.all('/mcp', (context) => {
   *   const { address } = getConnInfo(context).remote;
   *   return server.handleRequest(context.req.raw, { auth: context.get('user'), address });
   * });
   * ```
   * Never rejects: what fails is an answer too.
   */
  handleRequest(request: Request, caller: McpRequestCaller = {}): Promise<Response> {
    return this.web.handle(request, caller);
  }

  /**
   * Answers a request of a Node server of your own, `node:http` or one that hands out the same objects. Path and connections are
   * the server's, everything else is as at the own listener. Who calls is what was left on the request, as `mcpAuth`.
   */
  handleNode(request: NodeRequest, response: NodeResponse): void {
    this.node.handle(request, response);
  }

  /**
   * Admits and decodes one message of any other host; no handler has run. What is refused is a value.
   *
   * @throws ServerNotReadyError, ServerClosedError
   */
  prepare(exchange: Exchange): Promise<Prepared> | Prepared {
    this.requireOpen();
    return this.exchanges.prepare(exchange);
  }

  /**
   * Runs a prepared message when it is subscribed. A request emits zero or more notifications, then the response;
   * unsubscribing cancels it, and so does the signal, with whose reason the Observable fails. A notification takes effect
   * and emits nothing. Call `written` of each message when it is handed over.
   */
  execute(prepared: Admitted, { signal }: { readonly signal?: AbortSignal } = {}): Observable<OutgoingMessage> {
    return this.exchanges.execute(prepared, signal);
  }

  /**
   * The answer of a host that will not run a prepared message, such as one that has no room for it: a JSON-RPC error with the
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
