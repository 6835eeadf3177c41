import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';

import { standInFor } from '../../../lib/dispatch/handlers/response.stand-in.js';

class Response extends EventEmitter {
  readonly written: string[] = [];
  statusCode = 200;
  headersSent = false;
  locals = { user: 'ada' };
  raw?: Response;

  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  setHeader(name: string): this {
    this.written.push(name);
    return this;
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
  it('takes what is written to it without writing, and can be chained', () => {
    const real = new Response();
    const seen = standInFor(real) as Response;
    expect(seen.status(418).setHeader('a').end('b')).toBe(seen);
    seen.statusCode = 500;
    delete (seen as Partial<Response>).raw;
    expect([real.statusCode, real.written]).toEqual([200, []]);
  });

  it('shows what is there, and listens', () => {
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

  it('covers the response below it too', () => {
    const real = new Response();
    real.raw = new Response();
    (standInFor(real) as Response).raw?.end('b');
    expect(real.raw.written).toEqual([]);
  });

  it('is nothing to wait for', async () => {
    const seen = standInFor(new Response());
    expect(await Promise.race([seen])).toBe(seen);
  });

  it.each([undefined, null, 'text'])('is %p where there is none', (response) => {
    expect(standInFor(response)).toBe(response);
  });
});
