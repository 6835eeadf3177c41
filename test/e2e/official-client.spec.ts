import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { GalleryModule, PIXEL } from '../fixtures/gallery.module.js';
import { ADAPTERS } from '../support/adapters.js';
import { serve, type ServedApp } from '../support/served-app.js';

const START_MS = 30_000;
const WORDS = ['café', '日本語', '🦊 fox', 'e\u0301', '\u0000\u001f"\\', ' spaces ', '=?base64?QQ==?='];

describe.each(ADAPTERS)('the official client on $name', (adapter) => {
  let app: ServedApp;
  let client: Client;

  beforeAll(async () => {
    app = await serve(GalleryModule, adapter);
    client = await connect(app.url);
  }, START_MS);

  afterAll(async () => {
    await client.close();
    await app[Symbol.asyncDispose]();
  });

  const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });

  it('gets the identity and capabilities of the server', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(client.getServerVersion()).toEqual({ name: 'gallery', version: '1.0.0', title: 'Galerie d’été' });
    expect(client.getInstructions()).toBe('Entrée libre');
    expect(Object.keys(client.getServerCapabilities() ?? {}).sort()).toEqual([
      ...['completions', 'logging', 'prompts', 'resources', 'tools'],
    ]);
  });

  it('lists all tools, page after page', async () => {
    const { tools, nextCursor } = await client.listTools();
    expect(nextCursor).toBeUndefined();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['echo', 'count_letters', 'mirror', 'exhibit', 'refuse', 'collapse', 'climb'],
    ]);
    expect(tools[0]).toMatchObject({
      title: 'Écho',
      inputSchema: { type: 'object', required: ['words'], additionalProperties: false },
    });
    expect(tools[1]?.outputSchema).toMatchObject({ type: 'object', required: ['letters', 'words'] });
  });

  it('gets pages of the size that the module names', async () => {
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await app.send('tools/list', cursor === undefined ? {} : { cursor });
      const { tools, nextCursor } = page.message.result as unknown as ToolPage;
      pages.push(tools.map(({ name }) => name));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(new Set(pages.flat()).size).toBe(7);
  });

  it.each(WORDS)('sends %j as an argument and gets it back', async (words) => {
    expect(await call('echo', { words })).toMatchObject({ content: [{ type: 'text', text: words }] });
  });

  it('gets structured content that it checks itself', async () => {
    const { structuredContent } = await call('count_letters', { words: ['été', '日本'] });
    expect(structuredContent).toEqual({ letters: 5, words: ['été', '日本'] });
  });

  it('uses member names beyond ASCII', async () => {
    const args = { 'clé à molette': { größe: 17 }, 鍵: ['∞'] };
    expect((await call('mirror', args)).structuredContent).toEqual(args);
  });

  it('gets every kind of content block', async () => {
    const { content } = await call('exhibit');
    expect(content).toEqual([
      { type: 'text', text: 'naïve' },
      { type: 'image', data: PIXEL.toString('base64'), mimeType: 'image/png' },
      { type: 'audio', data: PIXEL.toString('base64'), mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'demo://café/日本', name: '日本', mimeType: 'text/plain' },
      { type: 'resource', resource: { uri: 'demo://café/日本', mimeType: 'text/plain', text: 'こんにちは' } },
    ]);
  });

  it('distinguishes failures that a model can act on from other errors', async () => {
    expect(await call('refuse')).toMatchObject({ isError: true, content: [{ text: 'Il n’y a rien ici' }] });
    expect(await call('echo', { words: '' })).toMatchObject({ isError: true });
    await expect(call('collapse')).rejects.toMatchObject({
      code: -32603,
      message: expect.not.stringContaining('secret'),
    });
    await expect(call('nothing')).rejects.toMatchObject({ code: -32602 });
  });

  it('gets progress before the result', async () => {
    const updates: unknown[] = [];
    const result = await client.callTool(
      { name: 'climb', arguments: {} },
      { onprogress: (update) => updates.push(update) },
    );
    expect(result.content).toEqual([{ type: 'text', text: '頂上' }]);
    expect(updates).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, message: `marche ${step}` })));
  });

  it('lists and reads resources', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['demo://café/日本', 'demo://pixel', 'demo://album']);
    const { contents: texts } = await client.readResource({ uri: 'demo://café/日本' });
    expect(texts).toEqual([{ uri: 'demo://café/日本', mimeType: 'text/plain', text: 'こんにちは' }]);
    const { contents: bytes } = await client.readResource({ uri: 'demo://pixel' });
    expect(bytes).toEqual([{ uri: 'demo://pixel', mimeType: 'image/png', blob: PIXEL.toString('base64') }]);
    expect((await client.readResource({ uri: 'demo://album' })).contents).toHaveLength(2);
  });

  it.each(['salon', '居間', 'salle à manger', '100 % 🦊'])('reads the room %s through the template', async (name) => {
    const uri = `demo://rooms/${encodeURIComponent(name)}`;
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: 'application/json', text: JSON.stringify({ name }) }]);
  });

  it('reads a template with characters that it did not encode', async () => {
    const { contents } = await client.readResource({ uri: 'demo://rooms/居間' });
    expect(contents).toMatchObject([{ text: JSON.stringify({ name: '居間' }) }]);
  });

  it('gets an error for an unknown resource', async () => {
    for (const uri of ['demo://nowhere', 'demo://rooms/..', 'demo://rooms/a%2Fb', 'demo://café/中国']) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    }
  });

  it('lists templates and completes their variables', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['demo://rooms/{name}']);
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'demo://rooms/{name}' },
      argument: { name: 'name', value: 'sal' },
    });
    expect(completion.values).toEqual(['salle à manger', 'salon']);
  });

  it('lists prompts, fills them and completes their arguments', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([{ name: 'story', arguments: [{ name: 'hero', required: true }] }]);
    const { messages, description } = await client.getPrompt({ name: 'story', arguments: { hero: 'Astérix 🦊' } });
    expect(description).toBe('A story about a hero');
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Raconte l’histoire de Astérix 🦊.' } },
      { role: 'assistant', content: { type: 'text', text: 'Il était une fois…' } },
    ]);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'story' },
      argument: { name: 'hero', value: '百' },
      context: { arguments: { hero: 'Obélix' } },
    });
    expect(completion.values).toEqual(['百!', 'Obélix']);
  });

  it('gets the name of a missing prompt argument', async () => {
    const answer = client.getPrompt({ name: 'story', arguments: {} });
    await expect(answer).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('hero') });
  });

  it('finds the revision by itself as well', async () => {
    const other = await connect(app.url, 'auto');
    expect(other.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    await other.close();
  });

  it('gets the supported revisions when it opens with a handshake', async () => {
    await expect(connect(app.url, 'legacy')).rejects.toThrow('2026-07-28');
  });
});

interface ToolPage {
  readonly tools: readonly { readonly name: string }[];
  readonly nextCursor?: string;
}

async function connect(
  url: string,
  mode: 'auto' | 'legacy' | { pin: string } = { pin: '2026-07-28' },
): Promise<Client> {
  const client = new Client({ name: 'spec', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}
