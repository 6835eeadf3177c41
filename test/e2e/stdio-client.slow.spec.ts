import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { commandOf } from '../support/stdio-child.js';

const START_MS = 30_000;
const WORDS = ['café', '日本語', '🦊 fox', '\u0000\u001f"\\', '\u2028', ' spaces '];

let client: Client;
let transport: StdioClientTransport;
let said = '';

beforeAll(async () => {
  transport = new StdioClientTransport({ ...commandOf(), stderr: 'pipe' });
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  client = new Client({ name: 'spec', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(transport);
}, START_MS);

afterAll(() => client.close(), START_MS);

const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });

describe('the official client over stdio', () => {
  it('gets the identity of the server, and lists its components', async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(client.getServerVersion()).toMatchObject({ name: 'workbench' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('echo');
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['work://bench']);
  });

  it.each(WORDS)('sends %j and gets it back', async (text) => {
    expect(await call('echo', { text })).toMatchObject({ content: [{ type: 'text', text }] });
  });

  it('gets an answer of a megabyte', async () => {
    const { content } = await call('big', { length: 1_000_000 });
    expect(content).toMatchObject([{ text: 'x'.repeat(1_000_000) }]);
  });

  it('makes many calls at once', async () => {
    const results = await Promise.all(Array.from({ length: 64 }, (_, ms) => call('slow', { ms })));
    expect(results.map(({ content }) => content)).toMatchObject(
      Array.from({ length: 64 }, (_, ms) => [{ text: `rested ${ms}` }]),
    );
  });

  it('follows progress', async () => {
    const steps: number[] = [];
    // A step at a time, since this client forgets updates that it reads together with the answer.
    const onprogress = ({ progress }: { progress: number }): void => {
      steps.push(progress);
      void call('go_on');
    };
    const { content } = await client.callTool({ name: 'climb', arguments: { to: 5 } }, { onprogress });
    expect(content).toMatchObject([{ text: 'on top' }]);
    expect(steps).toEqual([1, 2, 3, 4, 5]);
  });

  it('cancels a call, which ends on the server', async () => {
    const leaving = new AbortController();
    const held = client.callTool(
      { name: 'hold', arguments: { name: 'of the client' } },
      { signal: leaving.signal, onprogress: () => leaving.abort() },
    );
    await expect(held).rejects.toThrow(/abort/i);
    const heard = new Promise<void>((resolve) => {
      const look = (): void => {
        if (said.includes('FATE of the client cancelled')) resolve();
      };
      transport.stderr?.on('data', look);
      look();
    });
    await heard;
    expect(await call('echo', { text: 'next' })).toMatchObject({ content: [{ text: 'next' }] });
  });

  it('listens to changes, and stops', async () => {
    const heard = new Promise<string>((resolve) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
    });
    const subscription = await client.listen({ resourceSubscriptions: ['work://bench'] });
    await call('touch', { uri: 'work://bench' });
    expect(await heard).toBe('work://bench');
    await subscription.close();
    expect(await call('echo', { text: 'after' })).toMatchObject({ content: [{ text: 'after' }] });
  });
});
