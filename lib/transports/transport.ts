/**
 * The contract of a transport.
 *
 * A transport makes an `Exchange` of each message that it receives and passes it to `ExchangeHandler.prepare`. Depending on
 * the result it writes the refusal, writes the messages of `ExchangeHandler.stream`, or calls `ExchangeHandler.accept` for a
 * notification. It unsubscribes from the stream when the client leaves, which cancels the request.
 *
 * To add a transport, add a folder beside this file with a class that implements this interface, and list the class in
 * `lib/mcp.transport-providers.ts`. The stdio transport is the exception: it starts the app, not the other way round.
 */
export interface Transport {
  /**
   * Prepares for requests while the app initialises. Its routes are registered.
   *
   * @throws InvalidOptionsError where the options do not fit the app.
   */
  prepare?(): Promise<void>;
  /**
   * Accepts requests from now on. The app has all its global enhancers.
   *
   * @throws InvalidOptionsError where no requests can be received.
   */
  start?(): Promise<void> | void;
  /** Accepts no further request, waits for running ones for at most `drainTimeoutMs`, then ends them. May be repeated. */
  stop(drainTimeoutMs: number): Promise<void>;
}
