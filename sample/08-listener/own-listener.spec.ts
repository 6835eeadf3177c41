import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { RunningSample, runShell } from '../../test/support/running-sample.js';

const START_MS = 120_000;

let sample: RunningSample;

beforeAll(async () => {
  sample = await RunningSample.start('08-listener');
}, START_MS);

afterAll(() => sample?.stop('SIGKILL'), START_MS);

describe('what the sample prints', () => {
  it('carries no warning, and tells where the listener is', () => {
    expect(sample.output).not.toMatch(/\b(WARN|ERROR)\b/);
    expect(sample.output).toContain(`speaks MCP 2026-07-28 at POST ${sample.endpoint.href}: 2 tools`);
  });
});

describe('the README', () => {
  it('holds calls that print, show and are refused', async () => {
    // All blocks run in one shell, since the first defines a function for the others; each answer is one line.
    const answers = (await runShell(sample.shellBlocks.join(''))).trim().split('\n');
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
    await client.connect(new StreamableHTTPClientTransport(sample.endpoint, { requestInit }));
    const { content } = await client.callTool({ name: 'print', arguments: { title: 'Map', pages: 1 } });
    expect(content).toEqual([{ type: 'text', text: 'Map is number 2 in the queue, Bob' }]);
    await client.close();
    const gone = once(sample.process, 'exit');
    sample.process.kill('SIGTERM');
    expect(await gone).toEqual([null, 'SIGTERM']);
  });
});
