import { EventEmitter } from 'node:events';

type HeaderValue = number | string | readonly string[];
type HeaderFields = Readonly<Record<string, HeaderValue>>;

/** Headers with the methods of Node, Express and Fastify. */
class StandInHeaders extends EventEmitter {
  /** Set by a host that sends the headers. */
  headersSent = false;
  private readonly fields = new Map<string, HeaderValue>();

  setHeader(name: string, value: HeaderValue): this {
    this.fields.set(name.toLowerCase(), value);
    return this;
  }

  setHeaders(headers: Iterable<readonly [string, HeaderValue]>): this {
    for (const [name, value] of headers) this.setHeader(name, value);
    return this;
  }

  appendHeader(name: string, value: HeaderValue): this {
    const before = this.getHeader(name);
    return this.setHeader(name, before === undefined ? value : [before, value].flat().map(String));
  }

  getHeader(name: string): HeaderValue | undefined {
    return this.fields.get(name.toLowerCase());
  }

  getHeaders(): Record<string, HeaderValue> {
    return Object.fromEntries(this.fields);
  }

  getHeaderNames(): string[] {
    return [...this.fields.keys()];
  }

  hasHeader(name: string): boolean {
    return this.fields.has(name.toLowerCase());
  }

  removeHeader(name: string): this {
    this.fields.delete(name.toLowerCase());
    return this;
  }
}

/**
 * Replaces the HTTP response on transports without one. Headers can be set and read, but are not sent; methods that answer
 * the request do nothing and return the object.
 */
export class StandInResponse extends StandInHeaders {
  readonly statusCode = 200;
  readonly locals = {};

  /** Node's response, as in Fastify. */
  get raw(): this {
    return this;
  }

  get(name: string): HeaderValue | undefined {
    return this.getHeader(name);
  }

  header(name: string | HeaderFields, value?: HeaderValue): this {
    if (typeof name !== 'string') return this.setHeaders(Object.entries(name));
    return value === undefined ? this : this.setHeader(name, value);
  }

  set(name: string | HeaderFields, value?: HeaderValue): this {
    return this.header(name, value);
  }

  headers(fields: HeaderFields): this {
    return this.header(fields);
  }

  append(name: string, value: HeaderValue): this {
    return this.appendHeader(name, value);
  }

  vary(name: string): this {
    return this.appendHeader('vary', name);
  }

  location(url: string): this {
    return this.setHeader('location', url);
  }

  links(): this {
    return this;
  }

  cookie(): this {
    return this;
  }

  setCookie(): this {
    return this;
  }

  clearCookie(): this {
    return this;
  }

  status(): this {
    return this;
  }

  code(): this {
    return this;
  }

  type(): this {
    return this;
  }

  send(): this {
    return this;
  }

  json(): this {
    return this;
  }

  write(): boolean {
    return true;
  }

  end(): this {
    return this;
  }

  redirect(): this {
    return this;
  }
}
