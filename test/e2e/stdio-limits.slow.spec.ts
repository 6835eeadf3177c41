import { describe, expect, it } from '@jest/globals';

import { call, line, StdioChild } from '../support/stdio-child.js';

const RUN_MS = 60_000;
const MEGABYTE = 1_000_000;

const listen = (id: string): string =>
  line(id, 'subscriptions/listen', { notifications: { resourceSubscriptions: ['work://bench'] } });

describe('the limits of a server over stdio', () => {
  it(
    'refuse a line of 10 MB once, while it arrives, and serve the next',
    async () => {
      await using child = StdioChild.start();
      for (let sent = 0; sent < 9; sent += 1) child.process.stdin.write('x'.repeat(MEGABYTE));
      const refusal = await child.until(() => child.messages[0]);
      expect(refusal).toEqual({ jsonrpc: '2.0', error: { code: -32600, message: 'The line is too long' } });
      child.send('x'.repeat(MEGABYTE), '\n', call(1, 'echo', { text: 'next' }));
      expect(await child.text(1)).toBe('next');
      expect(child.messages).toHaveLength(2);
      expect(await child.end()).toEqual({ code: 0, signal: null });
    },
    RUN_MS,
  );

  it(
    'count the bytes of a line as the option says',
    async () => {
      await using child = StdioChild.start({ options: { maxLineBytes: 1_000 } });
      const empty = call(1, 'echo', { text: '' }).length;
      child.send(
        call(1, 'echo', { text: 'x'.repeat(1_000 - empty) }),
        call(2, 'echo', { text: 'x'.repeat(1_001 - empty) }),
      );
      child.send(call(3, 'echo', { text: 'next' }));
      await child.answer(3);
      expect(new Set(child.messages.map(({ id, error }) => id ?? error.code))).toEqual(new Set([1, -32600, 3]));
    },
    RUN_MS,
  );

  it(
    'answer calls beyond places and queue, and serve the others',
    async () => {
      await using child = StdioChild.start({ limits: { maxConcurrency: 2, maxQueue: 1 } });
      const ids = [1, 2, 3, 4, 5];
      child.send(...ids.map((id) => call(id, 'slow', { ms: 200 })), line('list', 'tools/list'));
      await Promise.all([...ids, 'list'].map((id) => child.answer(id)));
      const busy = ids.filter((id) => Object.hasOwn(child.answersTo(id)[0] ?? {}, 'error'));
      expect(busy).toEqual([4, 5]);
      expect((await child.answer(4)).error.code).toBe(-32603);
    },
    RUN_MS,
  );

  it(
    'let the one client have all places',
    async () => {
      await using child = StdioChild.start({ limits: { maxConcurrency: 2, maxQueue: 8 } });
      child.send(...[1, 2].map((id) => call(id, 'hold', { name: `${id}` }, { progressToken: id })));
      const begun = await child.until(() => (child.messages.length === 2 ? child.messages : undefined));
      expect(begun.map(({ params }) => params?.['progressToken'])).toEqual([1, 2]);
    },
    RUN_MS,
  );

  it(
    'answer subscriptions beyond their number, and take new ones for those that ended',
    async () => {
      await using child = StdioChild.start({ options: { maxSubscriptions: 2 } });
      child.send(listen('a'), listen('b'), listen('c'));
      expect((await child.answer('c')).error.code).toBe(-32603);
      child.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}\n`, listen('d'));
      const acknowledged = (): unknown[] =>
        child.messages
          .filter(({ method }) => method === 'notifications/subscriptions/acknowledged')
          .map(({ params }) => params?.['_meta']?.['io.modelcontextprotocol/subscriptionId']);
      await child.until(() => (acknowledged().length === 3 ? true : undefined));
      expect(acknowledged()).toEqual(['a', 'b', 'd']);
      const exit = await child.end();
      expect(exit).toEqual({ code: 0, signal: null });
      expect(child.messages.slice(-2).map(({ id, result }) => [id, result['resultType']])).toEqual([
        ['b', 'complete'],
        ['d', 'complete'],
      ]);
    },
    RUN_MS,
  );

  it(
    'allow 32 subscriptions by default',
    async () => {
      await using child = StdioChild.start();
      child.send(...Array.from({ length: 33 }, (_, index) => listen(`s${index}`)), call(1, 'echo', { text: 'fence' }));
      await child.answer(1);
      expect(child.messages.filter(({ id }) => id !== undefined).map(({ id }) => id)).toEqual(['s32', 1]);
    },
    RUN_MS,
  );

  it(
    'hold memory while a client writes without an end of line',
    async () => {
      await using child = StdioChild.start();
      child.send(line('ready', 'server/discover'));
      await child.answer('ready');
      const chunk = Buffer.alloc(MEGABYTE, 'x');
      for (let sent = 0; sent < 256; sent += 1) {
        if (!child.process.stdin.write(chunk))
          await new Promise((resolve) => child.process.stdin.once('drain', resolve));
      }
      child.send('\n', call(1, 'memory'));
      const { rss } = JSON.parse(String(await child.text(1))) as { rss: number };
      expect(rss).toBeLessThan(300 * MEGABYTE);
      expect(child.messages.filter(({ id }) => id === undefined)).toHaveLength(1);
    },
    RUN_MS,
  );
});

describe('who calls over stdio', () => {
  it(
    'is whom the app says',
    async () => {
      await using child = StdioChild.start({ options: { auth: { sub: 'ada' } } });
      child.send(call(1, 'whoami'));
      expect(JSON.parse(String(await child.text(1)))).toMatchObject({
        auth: { sub: 'ada' },
        seen: { mcpAuth: { sub: 'ada' } },
      });
    },
    RUN_MS,
  );

  it(
    'may be served by another server of the app',
    async () => {
      await using child = StdioChild.start({ options: { server: 'other' } });
      child.send(line(1, 'server/discover'));
      const { result } = await child.answer(1);
      expect(result['_meta']?.['io.modelcontextprotocol/serverInfo']?.['name']).toBe('other');
    },
    RUN_MS,
  );

  it.each([
    ['an unknown option', { maxLine: 1 }, 'this option does not exist'],
    ['an unknown server', { server: 'nowhere' }, 'the app has no server called \\"nowhere\\"'],
  ])(
    'is nobody where %s is named: the cure stands on stderr, and stdout stays empty',
    async (_name, options, words) => {
      await using child = StdioChild.start({ options });
      const exit = await child.ended;
      expect(exit.code).toBe(1);
      expect(child.stderr.replaceAll('"', '\\"')).toContain(words);
      expect(child.output).toEqual([]);
    },
    RUN_MS,
  );
});
