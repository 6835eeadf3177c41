import { execFile, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from '@jest/globals';

import { call, commandOf, LIFETIME, line, StdioChild } from '../support/stdio-child.js';

const RUN_MS = 180_000;
const CLEAN = { code: 0, signal: null };
const LOST = { code: 1, signal: null };
const listen = line('listen', 'subscriptions/listen', { notifications: { toolsListChanged: true } });

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/stdio/${name}`, import.meta.url));

/** Runs the workbench with files or devices in place of pipes. */
async function runWith(input: number | 'ignore', output: number | 'ignore'): Promise<number | null> {
  const { command, args, env } = commandOf();
  const child = spawn(command, args, { env, stdio: [input, output, 'ignore'], ...LIFETIME });
  return new Promise((resolve) => child.once('exit', resolve));
}

describe('a server over stdio whose input ends', () => {
  it(
    'answers what it has taken, the last line without its end included, and exits with 0',
    async () => {
      await using child = StdioChild.start();
      const exit = await child.end(call(1, 'slow', { ms: 300 }), call(2, 'echo', { text: 'two' }).trimEnd());
      expect(exit).toEqual(CLEAN);
      expect([await child.text(1), await child.text(2)]).toEqual(['rested 300', 'two']);
      expect(child.stderr).toContain('HOOKS without a signal');
    },
    RUN_MS,
  );

  it(
    'ends subscriptions with their last word, one that it took last as well',
    async () => {
      await using child = StdioChild.start();
      expect(await child.end(listen)).toEqual(CLEAN);
      expect(child.messages.map(({ method, result }) => method ?? result['resultType'])).toEqual([
        'notifications/subscriptions/acknowledged',
        'complete',
      ]);
    },
    RUN_MS,
  );

  it(
    'waits for calls only so long',
    async () => {
      await using child = StdioChild.start({ options: { drainTimeoutMs: 300 } });
      expect(await child.end(call(1, 'hold', { name: 'held' }))).toEqual(CLEAN);
      expect(child.answersTo(1)).toMatchObject([{ error: { code: -32603, message: 'The server is shutting down' } }]);
      expect(child.stderr).toContain('FATE held shutdown');
      expect(child.stderr).toContain('HOOKS');
    },
    RUN_MS,
  );

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'does the same on %s',
    async (signal) => {
      await using child = StdioChild.start();
      child.send(call('slow', 'count', { to: 1 }, { progressToken: 1 }), call(1, 'slow', { ms: 400 }));
      await child.answer('slow');
      child.process.kill(signal);
      expect(await child.ended).toEqual(CLEAN);
      expect(await child.text(1)).toBe('rested 400');
      expect(child.stderr).toContain(`HOOKS ${signal}`);
    },
    RUN_MS,
  );

  it(
    'before it starts is clean every time',
    async () => {
      const codes: unknown[] = [];
      for (let time = 0; time < 4; time += 1) codes.push(await runWith('ignore', 'ignore'));
      expect(codes).toEqual([0, 0, 0, 0]);
    },
    RUN_MS,
  );

  it(
    'is served from a file into a file',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'stdio-'));
      const [input, output] = [join(folder, 'in'), join(folder, 'out')];
      writeFileSync(input, call(1, 'echo', { text: 'filed' }));
      const files = [openSync(input, 'r'), openSync(output, 'w')] as const;
      expect(await runWith(...files)).toBe(0);
      expect(readFileSync(output, 'utf8')).toMatch(/^{"jsonrpc":"2.0","id":1,"result":.*"filed".*}\n$/);
      for (const file of files) closeSync(file);
      rmSync(folder, { recursive: true });
    },
    RUN_MS,
  );
});

describe('a server over stdio whose output is not read', () => {
  it(
    'ends its calls, runs the hooks and exits with 1 when its output breaks',
    async () => {
      await using child = StdioChild.start();
      child.send(call(1, 'hold', { name: 'held' }, { progressToken: 1 }), listen);
      await child.until(() => (child.messages.length === 2 ? true : undefined));
      child.process.stdout.destroy();
      child.send(call(2, 'echo', { text: 'into the void' }));
      expect(await child.ended).toEqual(LOST);
      expect(child.stderr).toContain('FATE held client-gone');
      expect(child.stderr).toContain('HOOKS');
    },
    RUN_MS,
  );

  it(
    'does the same when the client takes nothing for so long',
    async () => {
      await using child = StdioChild.start({ options: { writeTimeoutMs: 300 } });
      child.send(call(1, 'hold', { name: 'held' }, { progressToken: 1 }));
      await child.until(() => child.messages[0]);
      child.process.stdout.pause();
      child.send(call(2, 'big', { length: 3_000_000 }));
      await child.said('HOOKS');
      child.process.stdout.resume();
      expect(await child.ended).toEqual(LOST);
      expect(child.stderr).toContain('The reader of the output took nothing for 300 ms');
      expect(child.stderr).toContain('FATE held client-gone');
    },
    RUN_MS,
  );

  it(
    'waits for a client that takes its time',
    async () => {
      await using child = StdioChild.start({ options: { writeTimeoutMs: 5_000 } });
      child.process.stdout.pause();
      child.send(call(1, 'big', { length: 3_000_000 }), call(2, 'print'));
      await child.said('printed by a logger');
      child.process.stdout.resume();
      expect(await child.text(1)).toHaveLength(3_000_000);
      expect(await child.end()).toEqual(CLEAN);
    },
    RUN_MS,
  );

  it(
    'says so when its disk is full',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'stdio-'));
      writeFileSync(join(folder, 'in'), call(1, 'echo', { text: 'lost' }));
      const files = [openSync(join(folder, 'in'), 'r'), openSync('/dev/full', 'w')] as const;
      expect(await runWith(...files)).toBe(1);
      for (const file of files) closeSync(file);
      rmSync(folder, { recursive: true });
    },
    RUN_MS,
  );

  it(
    'is gone soon after its parent was killed, though it works and logs',
    async () => {
      const { env } = commandOf();
      const request = call(1, 'hold', { name: 'orphan' }, { progressToken: 1 });
      const parent = spawn(process.execPath, [fixture('parent.mjs'), fixture('main.mjs'), request], {
        env: { ...env, MODULE: JSON.stringify({ limits: { drainTimeoutMs: 300 } }) },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...LIFETIME,
      });
      let said = '';
      parent.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        said += chunk;
      });
      // The server has its stderr from the parent, so this closes when the server is gone as well.
      const gone = new Promise((resolve) => parent.stderr.once('close', resolve));
      await new Promise((resolve) => parent.stdout.once('data', resolve));
      parent.kill('SIGKILL');
      await gone;
      expect(said).toContain('FATE orphan');
      expect(said).toContain('HOOKS');
    },
    RUN_MS,
  );

  it(
    'outlives a stderr that nobody reads',
    async () => {
      await using child = StdioChild.start();
      child.send(line('ready', 'server/discover'));
      await child.answer('ready');
      child.process.stderr.destroy();
      child.send(call(1, 'print'), call(2, 'echo', { text: 'still here' }));
      expect(await child.text(2)).toBe('still here');
      expect(await child.end()).toEqual(CLEAN);
    },
    RUN_MS,
  );
});

describe('starting over stdio', () => {
  it(
    'tells on stderr why an app cannot start, and exits with 1',
    async () => {
      await using child = StdioChild.start({ main: fixture('main-broken.mjs') });
      expect(await child.ended).toEqual(LOST);
      expect(child.stderr).toContain('the database is away');
      expect(child.output).toEqual([]);
    },
    RUN_MS,
  );

  it(
    'diverts all that is written as soon as it is imported',
    async () => {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [fixture('main-diverted.mjs')]);
      expect({ stdout, stderr }).toEqual({ stdout: '', stderr: 'process import 2 console\nfunction\n' });
    },
    RUN_MS,
  );

  it(
    'works in CommonJS',
    async () => {
      await using child = StdioChild.start({ main: fixture('main-required.cjs') });
      child.send(line(1, 'server/discover'));
      expect((await child.answer(1)).result['_meta']?.['io.modelcontextprotocol/serverInfo']?.['name']).toBe(
        'required',
      );
      expect(await child.end()).toEqual(CLEAN);
    },
    RUN_MS,
  );

  it(
    'speaks the same in any locale',
    async () => {
      const texts: unknown[] = [];
      for (const locale of ['C', 'en_US.UTF-8']) {
        await using child = StdioChild.start({ env: { LANG: locale, LC_ALL: locale } });
        child.send(call(1, 'echo', { text: 'héllo 日本 😀 \u2028' }));
        texts.push(await child.text(1));
      }
      expect(texts).toEqual(['héllo 日本 😀 \u2028', 'héllo 日本 😀 \u2028']);
    },
    RUN_MS,
  );
});
