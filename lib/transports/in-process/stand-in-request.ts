/** Headers and properties of a call within the process, in place of those of an HTTP request. */
export interface StandInContent {
  /** Names are case-insensitive. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further properties that middleware and guards of the app would set on a request. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** URL and origin of a request. */
export interface StandInPlace {
  /** Path and query. */
  readonly url: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly protocol: string;
  readonly hostname: string;
  /** Address of the client; `undefined` if unknown. */
  readonly address: string | undefined;
}

/** For callers on this machine. */
const HERE: StandInPlace = Object.freeze({
  url: '/',
  path: '/',
  query: Object.freeze({}),
  protocol: 'http',
  hostname: 'localhost',
  address: '127.0.0.1',
});

/**
 * Replaces the HTTP request on transports without one, so that guards, interceptors and parameter decorators that were
 * written for Express or Fastify can read headers, query and the address of the client.
 */
export class StandInRequest {
  readonly method = 'POST';
  readonly url: string;
  readonly originalUrl: string;
  readonly path: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly ip: string | undefined;
  readonly ips: readonly string[] = [];
  readonly query: Readonly<Record<string, unknown>>;
  readonly params = {};
  readonly body = undefined;
  readonly headers: Record<string, string> = {};
  readonly socket: { readonly remoteAddress: string | undefined; readonly encrypted: boolean };
  readonly connection: object;

  constructor(
    { headers, properties }: StandInContent,
    { url, path, query, protocol, hostname, address }: StandInPlace = HERE,
  ) {
    this.url = url;
    this.originalUrl = url;
    this.path = path;
    this.query = { ...query };
    this.protocol = protocol;
    this.hostname = hostname;
    this.ip = address;
    this.socket = { remoteAddress: address, encrypted: protocol === 'https' };
    this.connection = this.socket;
    for (const [name, value] of Object.entries(headers)) this.headers[name.toLowerCase()] = value;
    Object.assign(this, properties);
  }

  /** Node's request, as in Fastify. */
  get raw(): this {
    return this;
  }

  get(name: string): string | undefined {
    const lower = name.toLowerCase();
    return Object.hasOwn(this.headers, lower) ? this.headers[lower] : undefined;
  }

  header(name: string): string | undefined {
    return this.get(name);
  }
}
