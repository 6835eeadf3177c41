import { describe, expect, it } from '@jest/globals';
import { Catch, Injectable, Module, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, NestFactory } from '@nestjs/core';
import type { Observable } from 'rxjs';
import { z } from 'zod';

import { Args, McpModule, McpServer, Tool } from '../../lib/index.js';
import { mcpRequest } from '../support/mcp-request.js';

class Failure extends Error {}

@Injectable()
class Tools {
  @Tool({ description: 'Knows at once' })
  now(): string {
    return 'now';
  }

  @Tool({ description: 'Fails at once' })
  fail(): never {
    throw new Failure('a detail that must stay inside');
  }

  @Tool({ description: 'Takes a part of its arguments', input: z.object({ word: z.string() }) })
  part(@Args('word') word: string): string {
    return word;
  }
}

const seen: string[] = [];

/** Notes that it was asked. */
function note<T>(what: string, value: T): T {
  seen.push(what);
  return value;
}

class Filter {
  catch(): { content: { type: 'text'; text: string }[] } {
    return note('filter', { content: [{ type: 'text', text: 'mended' }] });
  }
}
Catch(Failure)(Filter);

const guard: Provider = { provide: APP_GUARD, useValue: { canActivate: () => note('guard', true) } };
const interceptor: Provider = {
  provide: APP_INTERCEPTOR,
  useValue: {
    intercept: (_: unknown, next: { handle(): Observable<unknown> }) => note('interceptor', next.handle()),
  },
};
const pipe: Provider = { provide: APP_PIPE, useValue: { transform: (value: unknown) => note('pipe', value) } };
const filter: Provider = { provide: APP_FILTER, useValue: new Filter() };

interface Called {
  /** Whether the answer was there before anything else could run. */
  readonly atOnce: boolean;
  readonly seen: readonly string[];
  readonly message: Record<string, unknown> & { readonly result?: Readonly<Record<string, unknown>> };
}

/** Calls a tool of an app that has these enhancers for everything. */
async function call(name: string, enhancers: readonly Provider[], args: object = {}): Promise<Called> {
  @Module({ imports: [McpModule.forRoot({ name: 'bare', version: '1.0.0' })], providers: [Tools, ...enhancers] })
  class App {}
  await using app = await started(App);
  const { body } = mcpRequest('tools/call', { name, arguments: args });
  const prepared = await app.server.prepare({
    caller: { auth: () => undefined },
    body: () => ({ ok: true, bytes: body }),
  });
  if (prepared.kind !== 'request') throw new Error(prepared.kind);
  seen.length = 0;
  let text: string | undefined;
  const ended = new Promise<void>((resolve, reject) => {
    app.server.execute(prepared).subscribe({ next: ({ json }) => (text = json), error: reject, complete: resolve });
  });
  const atOnce = text !== undefined;
  await ended;
  return { atOnce, seen: [...seen], message: JSON.parse(text ?? '{}') as Called['message'] };
}

async function started(module: new () => object): Promise<AsyncDisposable & { readonly server: McpServer }> {
  const context = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  return { server: context.get(McpServer, { strict: false }), [Symbol.asyncDispose]: () => context.close() };
}

const texts = (...words: string[]): object => ({ content: words.map((text) => ({ type: 'text', text })) });

describe('a handler that returns its result synchronously', () => {
  it('has answered when the call returns, where nothing is bound to it', async () => {
    const { atOnce, message } = await call('now', []);
    expect(atOnce).toBe(true);
    expect(message.result).toMatchObject(texts('now'));
  });

  it.each<[string, Provider]>([
    ['guard', guard],
    ['interceptor', interceptor],
  ])('runs behind a global %s', async (name, provider) => {
    const called = await call('now', [provider]);
    expect(called).toMatchObject({ atOnce: false, seen: [name], message: { result: texts('now') } });
  });

  it('runs behind a global pipe, which gets the arguments', async () => {
    const called = await call('part', [pipe], { word: 'x' });
    expect(called).toMatchObject({ seen: ['pipe'], message: { result: texts('x') } });
  });

  it('is helped by a global filter when it fails, and not before', async () => {
    expect(await call('fail', [filter])).toMatchObject({ seen: ['filter'], message: { result: texts('mended') } });
    expect(await call('now', [filter])).toMatchObject({ seen: [], message: { result: texts('now') } });
  });

  it('answers a synchronous error without details', async () => {
    const { atOnce, message } = await call('fail', []);
    expect(atOnce).toBe(true);
    expect(message['error']).toMatchObject({ code: -32603, message: 'Internal error' });
    expect(JSON.stringify(message)).not.toContain('detail');
  });

  it('gets a part of its arguments all the same', async () => {
    const { message } = await call('part', [], { word: 'y' });
    expect(message.result).toMatchObject(texts('y'));
  });
});
