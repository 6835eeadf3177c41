import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';

import { standInFor } from '../../../../lib/dispatch/calls/response.facade.js';

class Response extends EventEmitter {
  readonly written: string[] = [];
  readonly set: (readonly unknown[])[] = [];
  sent?: boolean;
  statusCode = 200;
  headersSent = false;
  locals = { user: 'ada' };
  raw?: Response;

  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  setHeader(...header: readonly unknown[]): this {
    this.set.push(header);
    return this;
  }

  headers(...given: readonly unknown[]): this {
    return this.setHeader(...given);
  }

  cookie(...given: readonly unknown[]): this {
    return this.setHeader(...given);
  }

  type(name: string): this {
    return this.setHeader('content-type', name);
  }

  getHeader(name: string): string {
    return `${name}!`;
  }

  end(text: string): this {
    this.written.push(text);
    return this;
  }

  then(settle: (value: unknown) => void): void {
    settle('answered');
  }
}

describe('the response that enhancers see', () => {
  it('accepts writes without writing to the real response, and can be chained', () => {
    const real = new Response();
    const seen = standInFor(real) as Response;
    expect(seen.status(418).type('text').end('b')).toBe(seen);
    seen.statusCode = 500;
    delete (seen as Partial<Response>).raw;
    expect([real.statusCode, real.written, real.set]).toEqual([200, [], []]);
  });

  it('sets headers, and can be chained', () => {
    const real = new Response();
    const seen = standInFor(real) as Response;
    expect(seen.setHeader('a', 1).setHeader('b', ['c', 'd']).cookie('e', 'f', { path: '/' })).toBe(seen);
    expect(real.set).toEqual([
      ['a', 1],
      ['b', ['c', 'd']],
      ['e', 'f', { path: '/' }],
    ]);
  });

  it.each(['content-type', 'Content-Length', 'Transfer-Encoding', 'connection', 'content-encoding'])(
    'does not set %s, which the transport sets',
    (name) => {
      const real = new Response();
      const seen = standInFor(real) as Response;
      expect(seen.setHeader(name, 'x')).toBe(seen);
      seen.headers({ [name]: 'x', kept: 'y' });
      seen.headers(new Map([[name, 'x']]));
      seen.headers(new Headers({ [name]: 'x', kept: 'y' }));
      expect(real.set).toEqual([[{ kept: 'y' }], [new Map()], [new Headers({ kept: 'y' })]]);
    },
  );

  it.each<[string, Partial<Response>]>([
    ['of Node', { headersSent: true }],
    ['of Fastify', { sent: true }],
    ['of Node within Fastify', { raw: Object.assign(new Response(), { headersSent: true }) }],
  ])('refuses headers after the head of a response %s was sent', (_whose, state) => {
    const real = Object.assign(new Response(), state);
    const seen = standInFor(real) as Response;
    expect(() => seen.setHeader('X-Late', 'a')).toThrow(/^The header "X-Late" cannot be set any more/);
    expect(() => seen.headers({ a: 'b', c: 'd' })).toThrow('The header "a, c" cannot be set any more');
    expect(() => seen.cookie('a', 'b')).toThrow('The header "set-cookie" cannot be set any more');
    expect(real.set).toEqual([]);
  });

  it.each([
    ['a b', 'c', '"a b" is not a valid header name.'],
    ['a', 'b\r\nc: d', 'The value of the header "a" has characters that a header cannot contain.'],
    ['a', ['b', '\u0100'], 'The value of the header "a" has characters that a header cannot contain.'],
  ])('refuses the header %j with the value %j on every framework', (name, value, message) => {
    const real = new Response();
    const seen = standInFor(real) as Response;
    expect(() => seen.setHeader(name, value)).toThrow(message);
    expect(() => seen.headers({ [name]: value })).toThrow(message);
    expect(real.set).toEqual([]);
  });

  it('shows the members of the real response, and forwards listeners', () => {
    const real = new Response();
    const seen = standInFor(real) as Response;
    let closed = 0;
    seen.once('close', () => {
      closed += 1;
    });
    real.emit('close');
    expect([seen.statusCode, seen.headersSent, seen.locals.user, seen.getHeader('a'), closed]).toEqual([
      200,
      false,
      'ada',
      'a!',
      1,
    ]);
    expect(seen).toBeInstanceOf(Response);
  });

  it('also covers the inner response', () => {
    const real = new Response();
    real.raw = new Response();
    (standInFor(real) as Response).raw?.end('b');
    expect(real.raw.written).toEqual([]);
  });

  it('is not a thenable', async () => {
    const seen = standInFor(new Response());
    expect(await Promise.race([seen])).toBe(seen);
  });

  it.each([undefined, null, 'text'])('is %p when there is no response', (response) => {
    expect(standInFor(response)).toBe(response);
  });
});
