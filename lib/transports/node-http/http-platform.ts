import type { IncomingMessage, ServerResponse } from 'node:http';

/** A complete answer of one piece. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Runs before anything of the app; calling `pass` hands the request on. The framework's response may be a wrapper. */
export type EarlyHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  pass: () => void,
  frameworkResponse: unknown,
) => void;

/** What differs between the HTTP frameworks, or none, that requests come through. */
export interface HttpPlatform {
  rawRequest(request: unknown): IncomingMessage;
  rawResponse(response: unknown): ServerResponse;
  /** Whether the app has set this header. */
  hasHeader(response: unknown, name: string): boolean;
  /** Writes a whole answer, so that the framework's own hooks still apply. */
  send(response: unknown, answer: HttpAnswer): void;
  /** Takes the response over for a stream, with the headers that the app has set so far; they leave with the first write. */
  openStream(response: unknown, status: number, headers: Readonly<Record<string, string>>): ServerResponse;
  /** Body that a middleware of the app has read before us, if one did. */
  consumedBody(request: unknown): unknown;
}

/** A framework below Nest, which serves more than this endpoint. */
export interface FrameworkPlatform extends HttpPlatform {
  /** Runs the handler before everything else, body parsers included, for requests that the router gives to the endpoint. */
  mount(handle: EarlyHandler): void;
  /**
   * Looks at the routes of the app, which have to be registered; returns the paths of the endpoint.
   *
   * @throws InvalidOptionsError where the endpoint cannot be together with another route.
   */
  settle(): readonly string[];
}
