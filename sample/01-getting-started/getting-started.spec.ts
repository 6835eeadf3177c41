import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { readmeBlocks, RunningSample, runShell } from '../../test/support/running-sample.js';

const START_MS = 60_000;
const EMMA = '9780141439587';

let sample: RunningSample;
let client: Client;

beforeAll(async () => {
  sample = await RunningSample.start('01-getting-started');
  client = new Client(
    { name: 'sample-spec', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(sample.endpoint));
}, START_MS);

afterAll(async () => {
  await client?.close();
  await sample?.stop();
}, START_MS);

const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });

const names = (items: readonly { readonly name: string }[]): string[] => items.map(({ name }) => name);

async function read(uri: string): Promise<Record<string, unknown>> {
  const { contents } = await client.readResource({ uri });
  expect(contents).toHaveLength(1);
  return contents[0] ?? {};
}

describe('what the sample prints', () => {
  it('is an endpoint on the loopback interface', () => {
    expect(sample.endpoint.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  });

  it('carries no warning', () => {
    expect(sample.output).not.toMatch(/\b(WARN|ERROR)\b/);
  });
});

describe('the README', () => {
  it('holds a curl line that works as it stands', async () => {
    const answer = JSON.parse(await runShell(sample.shellBlocks[0] ?? '')) as {
      result: { structuredContent: unknown };
    };
    expect(answer.result.structuredContent).toMatchObject({ total: 2 });
  });

  it('holds a client configuration with the usual endpoint', () => {
    const json: unknown = JSON.parse(readmeBlocks('01-getting-started', 'json')[0] ?? '');
    expect(json).toEqual({ mcpServers: { library: { type: 'http', url: 'http://127.0.0.1:3000/mcp' } } });
  });
});

describe('the tools', () => {
  it('are listed, and so is what the server says about itself', async () => {
    const { tools } = await client.listTools();
    expect(names(tools)).toEqual([
      ...['search_books', 'show_book', 'lend_book', 'return_book', 'statistics', 'take_inventory'],
    ]);
    expect(client.getInstructions()).toContain('search_books');
    expect(client.getServerVersion()).toMatchObject({ name: 'library', title: 'Town library' });
  });

  it('search, with a DTO class that supplies the default', async () => {
    const { structuredContent } = await call('search_books', { text: 'AUSTEN' });
    expect(structuredContent).toMatchObject({ total: 2, books: [{ title: 'Pride and Prejudice' }, { title: 'Emma' }] });
    const japanese = await call('search_books', { text: '漱石', language: 'ja', limit: 1 });
    expect(japanese.structuredContent).toMatchObject({ total: 1, books: [{ title: '吾輩は猫である' }] });
  });

  it('refuse arguments outside the schema, whatever kind of schema it is', async () => {
    expect(await call('search_books', { text: '', limit: 51 })).toMatchObject({ isError: true });
    expect(await call('show_book', { isbn: '1' })).toMatchObject({ isError: true });
    expect(await call('lend_book', { isbn: EMMA, reader: 'Ada', days: 29 })).toMatchObject({ isError: true });
    expect(await call('statistics', { extra: 1 })).toMatchObject({ isError: true });
  });

  it('show a book in several content blocks', async () => {
    const { content } = await call('show_book', { isbn: EMMA });
    expect(content).toEqual([
      { type: 'text', text: '"Emma" by Jane Austen, 1815' },
      { type: 'image', mimeType: 'image/svg+xml', data: expect.any(String) },
      expect.objectContaining({ type: 'resource_link', uri: `library://books/${EMMA}` }),
    ]);
  });

  it('lend, count and take back, and say why they cannot', async () => {
    const before = await call('statistics');
    const loan = await call('lend_book', { isbn: EMMA, reader: 'Zoë' });
    expect(loan.structuredContent).toMatchObject({ isbn: EMMA, reader: 'Zoë' });
    const again = await call('lend_book', { isbn: EMMA, reader: 'Ada' });
    expect(again).toMatchObject({ isError: true, content: [{ text: 'All copies of "Emma" are lent.' }] });
    const between = await call('statistics');
    await call('return_book', { isbn: EMMA, reader: 'Zoë' });
    const after = await call('statistics');
    expect([before, between, after].map((result) => result.structuredContent)).toEqual([
      { titles: 5, copies: 9, lent: 0 },
      { titles: 5, copies: 9, lent: 1 },
      { titles: 5, copies: 9, lent: 0 },
    ]);
    expect(await call('return_book', { isbn: EMMA, reader: 'Zoë' })).toMatchObject({ isError: true });
    expect(await call('show_book', { isbn: '9780000000000' })).toMatchObject({ isError: true });
  });

  it('report progress while they work', async () => {
    const updates: unknown[] = [];
    const { content } = await client.callTool(
      { name: 'take_inventory', arguments: {} },
      { onprogress: ({ progress, total }) => updates.push([progress, total]) },
    );
    expect(content).toEqual([{ type: 'text', text: '9 copies are on the shelves' }]);
    expect(updates).toEqual([1, 2, 3, 4, 5].map((done) => [done, 5]));
  });
});

describe('the resources', () => {
  it('are listed, and so are the templates', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['library://rules', 'library://catalog']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'library://books/{isbn}',
      'library://covers/{isbn}',
      'library://authors/{name}',
    ]);
  });

  it('are text, JSON and bytes', async () => {
    expect(await read('library://rules')).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringMatching(/^#/),
    });
    expect(JSON.parse(String((await read('library://catalog')).text))).toHaveLength(5);
    expect(JSON.parse(String((await read(`library://books/${EMMA}`)).text))).toMatchObject({ title: 'Emma' });
    const { mimeType, blob } = await read(`library://covers/${EMMA}`);
    expect(mimeType).toBe('image/svg+xml');
    expect(Buffer.from(String(blob), 'base64').toString()).toMatch(/^<svg /);
  });

  it('have names beyond ASCII, encoded or not', async () => {
    for (const name of ['夏目漱石', encodeURIComponent('夏目漱石')]) {
      expect((await read(`library://authors/${name}`)).text).toContain('吾輩は猫である');
    }
  });

  it('are not found where there is nothing', async () => {
    for (const uri of ['library://authors/Nobody', 'library://books/9780000000000', 'library://nothing']) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    }
  });
});

describe('the prompts and completions', () => {
  it('are listed with their arguments', async () => {
    const { prompts } = await client.listPrompts();
    expect(names(prompts)).toEqual(['recommend', 'discuss']);
    expect(prompts[0]?.arguments).toEqual([
      { name: 'genre', description: 'What the reader likes', required: true },
      { name: 'reader', description: 'Name of the reader' },
    ]);
  });

  it('make messages', async () => {
    const { messages } = await client.getPrompt({ name: 'recommend', arguments: { genre: 'satire', reader: 'Zoë' } });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('to Zoë who likes satire') } },
    ]);
    const talk = await client.getPrompt({ name: 'discuss', arguments: { isbn: EMMA } });
    expect(talk.messages.map(({ role, content }) => [role, content.type])).toEqual([
      ['user', 'resource'],
      ['user', 'text'],
      ['assistant', 'text'],
    ]);
  });

  it('complete arguments of prompts and variables of templates', async () => {
    const complete = async (ref: Parameters<Client['complete']>[0]['ref'], name: string, value: string) =>
      (await client.complete({ ref, argument: { name, value } })).completion.values;
    expect(await complete({ type: 'ref/prompt', name: 'recommend' }, 'genre', 'ro')).toEqual(['romance']);
    const author = { type: 'ref/resource', uri: 'library://authors/{name}' } as const;
    expect(await complete(author, 'name', 'jos')).toEqual(['José Saramago']);
    for (const uri of ['library://books/{isbn}', 'library://covers/{isbn}']) {
      expect(await complete({ type: 'ref/resource', uri }, 'isbn', '978014')).toHaveLength(2);
    }
  });
});
