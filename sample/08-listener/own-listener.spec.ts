import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_MS = 120_000;

let sample: ChildProcess;
let printed: string;

/** Runs what `npm start` runs after the build, and resolves with its output once the hints are complete. */
function start(): Promise<string> {
  sample = spawn(process.execPath, ['scripts/start.mjs', '08-listener'], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (/without a badge:\ncurl [^\n]*\n/.test(output)) resolve(output);
    };
    sample.stdout?.on('data', read);
    sample.stderr?.on('data', read);
    sample.once('exit', (code) => reject(new Error(`The sample ended with ${code}:\n${output}`)));
  });
}

const endpoint = (): URL => new URL(/^MCP endpoint: (\S+)$/m.exec(printed)?.[1] ?? '');

beforeAll(async () => {
  printed = await start();
}, START_MS);

afterAll(async () => {
  if (sample.exitCode !== null || sample.signalCode !== null) return;
  const gone = once(sample, 'exit');
  sample.kill('SIGKILL');
  await gone;
}, START_MS);

describe('what the sample prints', () => {
  it('carries no warning, and tells where the listener is', () => {
    expect(printed).not.toMatch(/\b(WARN|ERROR)\b/);
    expect(printed).toContain(`speaks MCP 2026-07-28 at POST ${endpoint().href}: 2 tools`);
  });

  it('holds lines that print, show and are refused', async () => {
    const lines = printed.split('\n').filter((line) => line.startsWith('curl '));
    const answers: string[] = [];
    for (const line of lines) answers.push((await promisify(execFile)('sh', ['-c', line])).stdout);
    expect(answers).toEqual([
      expect.stringContaining('Minutes is number 1 in the queue, Ada'),
      expect.stringContaining('{"title":"Minutes","pages":3,"owner":"Ada"}'),
      '{"message":"Show your badge","error":"Unauthorized","statusCode":401}',
    ]);
  });
});

describe('the official client', () => {
  it('prints with a badge, and the sample ends when it is told to', async () => {
    const client = new Client(
      { name: 'spec', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const requestInit = { headers: { Authorization: 'Bearer badge-bob' } };
    await client.connect(new StreamableHTTPClientTransport(endpoint(), { requestInit }));
    const { content } = await client.callTool({ name: 'print', arguments: { title: 'Map', pages: 1 } });
    expect(content).toEqual([{ type: 'text', text: 'Map is number 2 in the queue, Bob' }]);
    await client.close();
    const gone = once(sample, 'exit');
    sample.kill('SIGTERM');
    expect(await gone).toEqual([null, 'SIGTERM']);
  });
});
