import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { ROOT } from '../../test/support/markdown-page.js';
import { readmeBlocks } from '../../test/support/running-sample.js';

const FOLDER = `${ROOT}sample/07-stdio`;
const START_MS = 60_000;

interface Configuration {
  readonly mcpServers: { readonly notes: { readonly command: string; readonly args: string[] } };
}

let printed: string;
let server: Configuration['mcpServers']['notes'];
let client: Client;
let logged = '';

beforeAll(async () => {
  // Builds and starts the sample, which ends at once because its stdin is closed.
  const starting = promisify(execFile)(process.execPath, ['scripts/start.mjs', '07-stdio'], { cwd: ROOT });
  starting.child.stdin?.end();
  printed = (await starting).stderr;
  const configuration = (readmeBlocks('07-stdio', 'json')[0] ?? '').replace('/path/to/07-stdio', FOLDER);
  server = (JSON.parse(configuration) as Configuration).mcpServers.notes;
  const transport = new StdioClientTransport({ ...server, env: { NOTES_OWNER: 'Zoë' }, stderr: 'pipe' });
  transport.stderr?.on('data', (chunk: Buffer) => {
    logged += chunk.toString();
  });
  client = new Client(
    { name: 'sample-spec', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(transport);
}, START_MS);

afterAll(() => client?.close(), START_MS);

const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });

describe('the notebook', () => {
  it('is connected by the configuration of its README', async () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'notes' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['write_note', 'find_notes', 'read_aloud']);
  });

  it('writes notes for whom the environment names, and finds them', async () => {
    const { structuredContent } = await call('write_note', { text: 'Water the plants 🌱' });
    expect(structuredContent).toEqual({ number: 1, owner: 'Zoë', text: 'Water the plants 🌱' });
    const found = await call('find_notes', { words: 'PLANTS' });
    expect(found.structuredContent).toMatchObject({ notes: [{ number: 1 }] });
    // A different pipe, which may be slower; the test's own timeout ends the wait.
    while (!logged.includes('Somebody looks for PLANTS')) await new Promise((resolve) => setImmediate(resolve));
  });

  it('tells who watches them that there are more', async () => {
    const updated = new Promise<string>((resolve) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
    });
    const subscription = await client.listen({ resourceSubscriptions: ['notes://all'] });
    await call('write_note', { text: 'x'.repeat(1_000) });
    expect(await updated).toBe('notes://all');
    await subscription.close();
  });

  it('stops reading aloud when nobody listens', async () => {
    const leaving = new AbortController();
    const reading = client.callTool(
      { name: 'read_aloud', arguments: {} },
      { signal: leaving.signal, onprogress: ({ progress }) => progress === 1 && leaving.abort() },
    );
    await expect(reading).rejects.toThrow(/abort/i);
    expect(await call('find_notes', { words: 'nothing of it' })).toMatchObject({ structuredContent: { notes: [] } });
  });

  it('answers the line of its README, and runs its hooks when its input ends', async () => {
    const line = readmeBlocks('07-stdio', 'sh')[0] ?? '';
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line], { cwd: FOLDER });
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { structuredContent: { number: 1 } } });
    expect(stderr).toContain('1 notes are forgotten');
  });

  it('prints no warning', () => {
    expect(printed).not.toMatch(/\b(WARN|ERROR)\b/);
  });
});
