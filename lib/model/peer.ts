import type { LogLevel } from './event.js';

/** Name and version of a client or server. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

/** A picture that a client may show. */
export interface Icon {
  /** An `https:` or `data:` URL. */
  readonly src: string;
  readonly mimeType?: string;
  /** Each `WIDTHxHEIGHT` or `any`. */
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** What a client declared about itself in this request. It is unverified, so never base a security decision on it. */
export interface ClientPeer {
  readonly info?: Implementation;
  readonly capabilities: { readonly [capability: string]: unknown };
  readonly protocolVersion: string;
  readonly logLevel?: LogLevel;
}

/** The sender of a request, as the host (not the message) identifies it. */
export interface Caller {
  /** The request object that the endpoint's guards saw; without HTTP an object that replaces it. */
  readonly request?: unknown;
  readonly response?: unknown;
  /** Whether request and response are replacements for those of HTTP. */
  readonly isStandIn?: boolean;
  /** The real request object behind a replacement, if there is one. */
  readonly actual?: unknown;
  /** Reads what a trusted guard or middleware has stored about the caller. */
  readonly auth: () => unknown;
  /** Reads what a trusted guard or middleware has stored about the client instance; absent where none can run. */
  readonly cancellationScope?: () => unknown;
  /** The client, if it has its connection to itself: its request ids are unique, and it can cancel all its requests. */
  readonly clientInstance?: object;
  /** Connection that identifies an unauthenticated caller; without one its address does. */
  readonly connection?: object | undefined;
  /** IP address of the sender, without a port, if the host knows it. */
  readonly address?: string | undefined;
}
