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

/** What a client declared about itself on this request; unverified, so never a ground for a security decision. */
export interface ClientPeer {
  readonly info?: Implementation;
  readonly capabilities: { readonly [capability: string]: unknown };
  readonly protocolVersion: string;
  readonly logLevel?: LogLevel;
}

/** Who sent a request, as the host (not the message) tells it. */
export interface Caller {
  /** The object that the endpoint's guards saw; off HTTP its stand-in. */
  readonly request?: unknown;
  readonly response?: unknown;
  /** Whether request and response only stand for those of HTTP. */
  readonly isStandIn?: boolean;
  /** What a stand-in stands for, where it is not nothing. */
  readonly actual?: unknown;
  /** What a trusted guard or middleware left about the caller, read when asked for. */
  readonly auth: () => unknown;
  /** What a trusted guard or middleware left about the client instance that sent it; absent where nothing could. */
  readonly cancellationScope?: () => unknown;
  /** The client itself, where its connection carries nothing else: ids are its own, and a cancellation reaches all of them. */
  readonly clientInstance?: object;
  /** Stands for a caller that nobody knows: its connection. Without one its address does. */
  readonly connection?: object | undefined;
  /** Where the request comes from, as far as the host knows: an IP address without a port. */
  readonly address?: string | undefined;
}
