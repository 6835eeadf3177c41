import type { ExchangeHandler } from '../../server/exchange.handler.js';
import type { TrustedProperties } from '../trusted-properties.js';

/** The server, as the stdio transport uses it. */
export interface StdioHost {
  readonly exchanges: ExchangeHandler;
  readonly properties: TrustedProperties;
  /** Time limit of running calls at the end, in milliseconds. */
  readonly drainTimeoutMs: number;
  /** Ends all subscriptions with their final message. */
  completeSubscriptions(): void;
}

/** A server that the stdio transport can serve. */
export interface StdioServer {
  stdioHost(): StdioHost;
}
