import type { ExchangeHandler } from '../../exchange/exchange.handler.js';
import type { TrustedProperties } from '../trusted-properties.js';

/** What a pipe needs of the server behind it. */
export interface StdioHost {
  readonly exchanges: ExchangeHandler;
  readonly properties: TrustedProperties;
  /** Milliseconds that running calls get at the end. */
  readonly drainTimeoutMs: number;
  /** Ends all subscriptions with their last word. */
  completeSubscriptions(): void;
}

/** A server that can be served over a pipe. */
export interface StdioServer {
  stdioHost(): StdioHost;
}
