import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, NotFoundException } from '@nestjs/common';
import { IsIn, IsString } from 'class-validator';

import { Args, blob, contents, Describe, McpContext, McpModule, Resource, text } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { referenceOf } from '../support/reference.js';
import { shareApp } from '../support/shared-app.js';

type Part = Readonly<Record<string, unknown>>;

const URI = 'give://';

/** What a handler without a declared type returns, and the contents that follow from it. */
const ANSWERS: Readonly<Record<string, readonly [returned: unknown, parts: readonly Part[]]>> = {
  string: ['plain', [{ mimeType: 'text/plain', text: 'plain' }]],
  empty: ['', [{ mimeType: 'text/plain', text: '' }]],
  object: [{ a: 1 }, [{ mimeType: 'application/json', text: '{"a":1}' }]],
  list: [[1, 2], [{ mimeType: 'application/json', text: '[1,2]' }]],
  number: [0, [{ mimeType: 'application/json', text: '0' }]],
  date: [new Date(0), [{ mimeType: 'application/json', text: '"1970-01-01T00:00:00.000Z"' }]],
  buffer: [Buffer.from('abc'), [{ mimeType: 'application/octet-stream', blob: 'YWJj' }]],
  bytes: [Uint8Array.of(1, 2, 3), [{ mimeType: 'application/octet-stream', blob: 'AQID' }]],
  blob: [blob(Uint8Array.of(1, 2, 3), 'image/png'), [{ mimeType: 'image/png', blob: 'AQID' }]],
  blob_untyped: [blob('AQID'), [{ blob: 'AQID' }]],
  several: [
    contents({ text: 'a' }, { uri: 'give://other', text: 'b', mimeType: 'text/html' }, blob('AQID', 'image/png')),
    [{ text: 'a' }, { uri: 'give://other', text: 'b', mimeType: 'text/html' }, { blob: 'AQID', mimeType: 'image/png' }],
  ],
  none: [contents(), []],
  meta_alone: [
    { contents: 'no list', _meta: { a: 1 } },
    [{ mimeType: 'application/json', text: '{"contents":"no list","_meta":{"a":1}}' }],
  ],
  block: [text('x'), [{ mimeType: 'application/json', text: '{"type":"text","text":"x"}' }]],
};

const circular: Record<string, unknown> = {};
circular['self'] = circular;

const IMPOSSIBLE: Readonly<Record<string, unknown>> = {
  bigint: { secret: 1n },
  circular,
  function: () => 'secret',
  part_without_content: contents({ mimeType: 'text/plain' }),
  part_with_both: contents({ text: 'a', blob: 'AQID' }),
  part_of_wrong_type: { contents: ['secret'] },
};

@Injectable()
class Giver {
  @Resource({ uri: 'give://{what}', description: 'Returns what a table says' })
  give({ what }: { what: string }): unknown {
    return what in ANSWERS ? ANSWERS[what]?.[0] : IMPOSSIBLE[what];
  }

  @Resource({ uri: 'typed://text', description: 'Has a type', mimeType: 'text/markdown' })
  typed(): string {
    return '# Title';
  }

  @Resource({ uri: 'typed://parts', description: 'Has a type too', mimeType: 'text/markdown' })
  parts(): object {
    return { ...contents({ text: 'a' }, { text: 'b', mimeType: 'text/plain' }), _meta: { 'example.com/n': 1 } };
  }

  @Resource({ uri: 'typed://json', description: 'JSON of a type', mimeType: 'application/ld+json' })
  json(): object {
    return { a: 1 };
  }

  @Resource({ uri: 'missing://{kind}', description: 'Never there' })
  missing({ kind }: { kind: string }): null | undefined {
    if (kind === 'thrown') throw new NotFoundException('Page 7 is gone');
    return kind === 'null' ? null : undefined;
  }

  @Resource({ uri: 'urn:isbn:1', description: 'No hierarchy' })
  urn(): string {
    return 'urn';
  }

  @Resource({ uri: 'file:///a(1).txt', description: 'Signs that mean something to path matchers' })
  signs(): string {
    return 'signs';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'giver', version: '1.0.0' })], providers: [Giver] })
class GiverModule {}

describe.each(ADAPTERS)('return values of resources on $name', (adapter) => {
  const served = shareApp(GiverModule, adapter);

  it.each(Object.entries(ANSWERS))('answers %s', async (what, [, parts]) => {
    const { app } = served;
    const { message } = await app.send('resources/read', { uri: `${URI}${what}` });
    expect(message.result.contents).toEqual(parts.map((part) => ({ uri: `${URI}${what}`, ...part })));
    expect(message.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
    expect(Object.keys(message.result['_meta'] ?? {})).toEqual(['io.modelcontextprotocol/serverInfo']);
  });

  it('uses the declared type if a part has no type', async () => {
    const { app } = served;
    const read = async (uri: string): Promise<unknown> => (await app.send('resources/read', { uri })).message.result;
    expect(await read('typed://text')).toMatchObject({
      contents: [{ uri: 'typed://text', mimeType: 'text/markdown', text: '# Title' }],
    });
    expect(await read('typed://json')).toMatchObject({
      contents: [{ mimeType: 'application/ld+json', text: '{"a":1}' }],
    });
    expect(await read('typed://parts')).toMatchObject({
      contents: [{ mimeType: 'text/markdown' }, { mimeType: 'text/plain' }],
      _meta: { 'example.com/n': 1 },
    });
  });

  it.each(Object.keys(IMPOSSIBLE))('answers %s with an internal error that the log explains', async (what) => {
    const { app, log } = served;
    const { message, text: wire } = await app.send('resources/read', { uri: `${URI}${what}` });
    expect(message.error).toEqual({ code: -32603, message: 'Internal error', data: { reference: expect.any(String) } });
    expect(wire).not.toContain('secret');
    expect(log.texts('error')).toEqual([expect.stringContaining(`Giver.give failed [${referenceOf(message)}]`)]);
  });

  it.each([
    ['missing://undefined', 'Resource not found'],
    ['missing://null', 'Resource not found'],
    ['missing://thrown', 'Page 7 is gone'],
    ['nowhere://at-all', 'Resource not found'],
    ['evil:text', 'Resource not found'],
  ])('answers a read of %s as not found, with its URI', async (uri, text_) => {
    const { app, log } = served;
    const { message, status } = await app.send('resources/read', { uri });
    expect(status).toBe(200);
    expect(message.error).toEqual({ code: -32602, message: text_, data: { uri } });
    expect(log.texts('error')).toEqual([]);
  });

  it.each([
    ['urn:isbn:1', 'urn'],
    ['file:///a(1).txt', 'signs'],
  ])('reads %s by its exact URI', async (uri, expected) => {
    const { app } = served;
    expect((await app.send('resources/read', { uri })).message.result.contents).toMatchObject([
      { uri, text: expected },
    ]);
  });
});

class Lookup {
  @Describe('Kind of record') @IsIn(['user', 'order']) kind!: string;
  @Describe('Its number') @IsString() id!: string;
}

@Injectable()
class Records {
  @Resource({ uri: 'records://{kind}/{id}', description: 'One record' })
  record(lookup: Lookup, context: McpContext): object {
    const { kind, id } = lookup;
    return { kind, id, isLookup: lookup instanceof Lookup, request: context.requestId };
  }

  @Resource({ uri: 'items://item/{name}', description: 'By name' })
  item(@Args('name') name: string): object {
    return { name };
  }

  @Resource({ uri: 'search://all{?q,page}', description: 'With a query' })
  search(variables: { q?: string; page?: string }): object {
    return variables;
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'records', version: '1.0.0' })], providers: [Records] })
class RecordsModule {}

const textOf = (result: unknown): unknown =>
  JSON.parse((result as { contents: [{ text: string }] }).contents[0].text) as unknown;

describe.each(ADAPTERS)('resource templates on $name', (adapter) => {
  const served = shareApp(RecordsModule, adapter);

  it('hands variables to DTOs and contexts', async () => {
    const { app } = served;
    const { message } = await app.send('resources/read', { uri: 'records://user/7' }, { id: 'r1' });
    expect(textOf(message.result)).toEqual({ kind: 'user', id: '7', isLookup: true, request: 'r1' });
  });

  it('refuses variables that the DTO does not allow, without the value', async () => {
    const { app } = served;
    const { message } = await app.send('resources/read', { uri: 'records://hush/7' });
    expect(message.error.code).toBe(-32602);
    expect(message.error.message).toContain('kind');
    expect(message.error.message).not.toContain('hush');
  });

  it.each([
    ['items://item/%C2%A7%20141.61', { name: '§ 141.61' }],
    ['items://item/%2525', { name: '%25' }],
  ])('decodes the variables of %s once', async (uri, variables) => {
    const { app } = served;
    expect(textOf((await app.send('resources/read', { uri })).message.result)).toEqual(variables);
  });

  it.each([
    'items://item/%E0%A4%A',
    'items://item/..%2F..%2Fetc%2Fpasswd',
    'items://item/%2e%2e',
    'items://item/a%00b',
    'items://iXem/p',
    'items://item/a/b',
  ])('finds nothing at %s', async (uri) => {
    const { app } = served;
    const { message } = await app.send('resources/read', { uri });
    expect(message.error.code).toBe(-32602);
  });

  it('takes query variables that are there', async () => {
    const { app } = served;
    const read = async (uri: string): Promise<unknown> =>
      textOf((await app.send('resources/read', { uri })).message.result);
    expect(await read('search://all?q=a%20b')).toEqual({ q: 'a b' });
    expect(await read('search://all?q=a&page=2')).toEqual({ q: 'a', page: '2' });
  });

  it('lists templates apart from resources, with their descriptions', async () => {
    const { app } = served;
    expect((await app.send('resources/list')).message.result.resources).toEqual([]);
    const { message } = await app.send('resources/templates/list');
    expect(message.result.resourceTemplates).toEqual([
      { uriTemplate: 'records://{kind}/{id}', name: 'record', description: 'One record' },
      { uriTemplate: 'items://item/{name}', name: 'item', description: 'By name' },
      { uriTemplate: 'search://all{?q,page}', name: 'search', description: 'With a query' },
    ]);
  });
});
