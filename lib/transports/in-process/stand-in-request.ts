/** What a caller within the process says in place of an HTTP request. */
export interface StandInParts {
  /** Names in any case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whatever else the app's own middleware and guards would have put on a request. */
  readonly properties: Readonly<Record<string, unknown>>;
}

const LOOPBACK = '127.0.0.1';

/**
 * Stands for the HTTP request where there is none, so that guards, interceptors and parameter decorators that were
 * written for Express or Fastify find what they read: headers, an empty query, the address of this machine.
 */
export class StandInRequest {
  readonly method = 'POST';
  readonly url = '/';
  readonly originalUrl = '/';
  readonly path = '/';
  readonly protocol = 'http';
  readonly hostname = 'localhost';
  readonly ip = LOOPBACK;
  readonly ips: readonly string[] = [];
  readonly query = {};
  readonly params = {};
  readonly body = undefined;
  readonly headers: Record<string, string> = {};
  readonly socket = { remoteAddress: LOOPBACK, encrypted: false };
  readonly connection = this.socket;

  constructor({ headers, properties }: StandInParts) {
    for (const [name, value] of Object.entries(headers)) this.headers[name.toLowerCase()] = value;
    Object.assign(this, properties);
  }

  /** Fastify keeps Node's request here. */
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
