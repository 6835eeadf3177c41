import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { call, cancel, line, StdioChild } from '../support/stdio-child.js';

const START_MS = 30_000;
const WORDS = 'héllo 日本 😀 \u2028 "\\"';
const TOKEN = { progressToken: 'steps' };

let child: StdioChild;
let lastId = 0;

const nextId = (): number => (lastId += 1);

beforeAll(async () => {
  child = StdioChild.start();
  child.send(line('ready', 'server/discover'));
  await child.answer('ready');
}, START_MS);

afterAll(async () => {
  const { code } = await child.end();
  if (code !== 0) throw new Error(`The server ended with ${code}: ${child.stderr}`);
}, START_MS);

/** What the server says to these lines, until it has answered a call that is sent after them. */
async function saidTo(...lines: string[]): Promise<unknown[]> {
  const before = child.messages.length;
  const fence = nextId();
  child.send(...lines, call(fence, 'echo', { text: 'fence' }));
  await child.answer(fence);
  return child.messages.slice(before, -1);
}

describe('a server over stdio', () => {
  it('answers requests', async () => {
    const [tools, resource] = [nextId(), nextId()];
    child.send(line(tools, 'tools/list'), line(resource, 'resources/read', { uri: 'work://bench' }));
    expect((await child.answer(tools)).result['tools']).toHaveLength(11);
    expect((await child.answer(resource)).result['contents']).toMatchObject([{ text: 'wood' }]);
  });

  it('writes plain ASCII and nothing else, and takes everything', async () => {
    const id = nextId();
    child.send(call(id, 'echo', { text: WORDS }));
    expect(await child.text(id)).toBe(WORDS);
    expect(Buffer.concat(child.output).every((byte) => byte === 0x0a || (byte >= 0x20 && byte < 0x7f))).toBe(true);
  });

  it('takes lines of Windows, blank lines and a byte order mark', async () => {
    const [one, two] = [nextId(), nextId()];
    const request = call(one, 'echo', { text: 'one' });
    child.send('\r\n\n', `\ufeff${request.replace('\n', '\r\n')}`, call(two, 'echo', { text: 'two' }));
    expect([await child.text(one), await child.text(two)]).toEqual(['one', 'two']);
  });

  it('puts lines together, wherever the writes of the client end', async () => {
    const id = nextId();
    const bytes = Buffer.from(call(id, 'echo', { text: WORDS }));
    for (const byte of bytes) child.process.stdin.write(Buffer.of(byte));
    expect(await child.text(id)).toBe(WORDS);
  });

  it('keeps ids as they are', async () => {
    child.send(call('9007199254740993', 'echo', { text: 'text' }));
    expect(await child.text('9007199254740993')).toBe('text');
    child.send(call(0, 'echo', { text: 'exact' }).replace('"id":0', '"id":-9223372036854775808'));
    await child.until(() => (Buffer.concat(child.output).includes('"id":-9223372036854775808,') ? true : undefined));
  });

  it('answers nothing to what awaits nothing', async () => {
    const said = await saidTo(
      ...[
        { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
        { jsonrpc: '2.0', method: 'notifications/whatever' },
        { jsonrpc: '2.0', method: 'notifications/whatever', params: [] },
        { method: 'notifications/whatever' },
        { jsonrpc: '2.0', id: 1_000_000, result: {} },
        { jsonrpc: '2.0', id: 1_000_001, error: { code: 1, message: '' } },
      ].map((message) => `${JSON.stringify(message)}\n`),
    );
    expect(said).toEqual([]);
    child.send(call(1_000_000, 'echo', { text: 'a response occupies no id' }));
    expect(await child.text(1_000_000)).toBe('a response occupies no id');
  });

  it.each([
    ['no JSON', 'nonsense\n', -32700],
    ['more than JSON', '{} {}\n', -32700],
    ['broken UTF-8', Buffer.of(0x22, 0xff, 0x22, 0x0a).toString('latin1'), -32700],
    ['a batch', '[]\n', -32600],
    ['a strange id', '{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}\n', -32600],
  ])('refuses %s without an id', async (_name, text, code) => {
    const fence = nextId();
    const before = child.messages.length;
    child.process.stdin.write(text, 'latin1');
    child.send(call(fence, 'echo', { text: 'fence' }));
    await child.answer(fence);
    const [refusal] = child.messages.slice(before);
    expect(refusal).toMatchObject({ error: { code } });
    expect(refusal).not.toHaveProperty('id');
  });

  it('answers a client of an older revision with the supported revisions, and keeps running', async () => {
    const id = nextId();
    child.send(
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params: { protocolVersion: '2025-11-25' } })}\n`,
    );
    const { error } = await child.answer(id);
    expect(error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'] } });
  });

  it('answers in the order in which calls are done', async () => {
    const [slow, quick] = [nextId(), nextId()];
    child.send(call(slow, 'slow', { ms: 100 }), call(quick, 'echo', { text: 'quick' }));
    await child.answer(slow);
    const order = child.messages.map(({ id }) => id);
    expect(order.indexOf(quick)).toBeLessThan(order.indexOf(slow));
  });

  it('answers a hundred concurrent calls, each on a separate line', async () => {
    const ids = Array.from({ length: 100 }, nextId);
    child.send(...ids.map((id) => call(id, 'slow', { ms: id % 20 })));
    expect(await Promise.all(ids.map((id) => child.text(id)))).toEqual(ids.map((id) => `rested ${id % 20}`));
    for (const id of ids) expect(child.answersTo(id)).toHaveLength(1);
  });

  it('reports progress before the answer, every step of it', async () => {
    const id = nextId();
    child.send(call(id, 'count', { to: 500 }, TOKEN));
    expect(await child.text(id)).toBe('counted to 500');
    const steps = child.messages.filter(({ params }) => params?.['total'] !== undefined);
    expect(steps.map(({ params }) => params?.['progress'])).toEqual(Array.from({ length: 500 }, (_, step) => step + 1));
  });

  it('lets nothing of the app through to stdout', async () => {
    const id = nextId();
    child.send(call(id, 'print'));
    expect(await child.text(id)).toBe('descriptor 2');
    for (const source of ['console.log', 'console.info', 'process.stdout', 'an imported stdout', 'a logger']) {
      await child.said(`printed by ${source}`);
    }
    for (const words of ['printed while', 'logged while', 'workbench speaks MCP'])
      expect(child.stderr).toContain(words);
  });

  it('gives guards and handlers a stand-in request, with an anonymous caller', async () => {
    const id = nextId();
    child.send(call(id, 'whoami'));
    expect(JSON.parse(String(await child.text(id)))).toEqual({
      auth: null,
      seen: { method: 'POST', ip: '127.0.0.1', headers: [], mcpAuth: null },
    });
  });
});

describe('cancelling over stdio', () => {
  it('ends the call without an answer, and frees its id', async () => {
    const id = nextId();
    child.send(call(id, 'hold', { name: `call-${id}` }, { progressToken: `of-${id}` }));
    await child.until(() => child.messages.find(({ params }) => (params?.['progressToken'] as unknown) === `of-${id}`));
    const before = child.messages.length;
    child.send(cancel(id, { reason: 'enough' }), call(id, 'echo', { text: 'again' }));
    expect(await child.text(id)).toBe('again');
    await child.said(`FATE call-${id} cancelled`);
    expect(child.messages.slice(before)).toHaveLength(1);
  });

  it('reaches a subscription, which ends without a last word', async () => {
    const id = nextId();
    child.send(line(id, 'subscriptions/listen', { notifications: { resourceSubscriptions: ['work://bench'] } }));
    const aboutIt = (): unknown[] =>
      child.messages.filter(
        ({ params }) => (params?.['_meta']?.['io.modelcontextprotocol/subscriptionId'] as unknown) === id,
      );
    await child.until(() => (aboutIt().length === 1 ? true : undefined));
    const [touched, touchedAgain] = [nextId(), nextId()];
    child.send(call(touched, 'touch', { uri: 'work://bench' }));
    await child.until(() => (aboutIt().length === 2 ? true : undefined));
    await child.answer(touched);
    child.send(cancel(id), call(touchedAgain, 'touch', { uri: 'work://bench' }));
    await child.answer(touchedAgain);
    await saidTo();
    expect(aboutIt()).toHaveLength(2);
    expect(child.answersTo(id)).toEqual([]);
  });

  it('has no effect where it is malformed or names nothing', async () => {
    const id = nextId();
    child.send(call(id, 'slow', { ms: 150 }));
    const strange = [{ reason: 42 }, { reason: {} }].map((more) => cancel(id, more));
    expect(await saidTo(...strange, cancel(1.5), cancel(undefined), cancel(String(id)), cancel('unknown'))).toEqual([]);
    expect(await child.text(id)).toBe('rested 150');
  });

  it('refuses an id that is in use, and does not affect its first request', async () => {
    const id = nextId();
    child.send(call(id, 'slow', { ms: 100 }), call(id, 'echo', { text: 'second' }));
    await child.until(() => (child.answersTo(id).length === 2 ? true : undefined));
    const [second, first] = child.answersTo(id);
    expect(second).toMatchObject({ error: { code: -32600 } });
    expect(first?.result['content']).toMatchObject([{ text: 'rested 100' }]);

    const listen = nextId();
    const request = line(listen, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
    child.send(request, request);
    expect(await child.answer(listen)).toMatchObject({ error: { code: -32600 } });
    child.send(cancel(listen));
  });
});
