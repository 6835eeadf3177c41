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
  sample = spawn(process.execPath, ['scripts/start.mjs', '06-interactive-tools'], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (/can show nothing:\ncurl [^\n]*\n/.test(output)) resolve(output);
    };
    sample.stdout?.on('data', read);
    sample.stderr?.on('data', read);
    sample.once('exit', (code) => reject(new Error(`The sample ended with ${code}:\n${output}`)));
  });
}

beforeAll(async () => {
  printed = await start();
}, START_MS);

afterAll(async () => {
  if (sample.exitCode !== null || sample.signalCode !== null) return;
  const gone = once(sample, 'exit');
  sample.kill('SIGTERM');
  await gone;
}, START_MS);

interface Answer {
  readonly result: {
    readonly resultType: string;
    readonly inputRequests?: Readonly<Record<string, { readonly params: { readonly message: string } }>>;
    readonly content?: readonly { readonly text: string }[];
  };
}

describe('what the sample prints', () => {
  it('carries no warning', () => {
    expect(printed).not.toMatch(/\b(WARN|ERROR)\b/);
  });

  it('holds lines that book a trip', async () => {
    const lines = printed.split('\n').filter((line) => /^(?:curl |ANSWER=)/.test(line));
    expect(lines).toHaveLength(4);
    // One shell, since each line needs the state of the one before; answers are one line each.
    const { stdout } = await promisify(execFile)('sh', ['-c', lines.join('; echo; ')]);
    const answers = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Answer);
    const [asked, priced, booked, proposed] = answers;
    expect(asked?.result.inputRequests?.['traveller']?.params.message).toBe('Who travels to Oslo?');
    expect(priced?.result.inputRequests?.['consent']?.params.message).toBe('Ada to Oslo with 1 bags for 127 euros?');
    expect(booked?.result.content?.[0]?.text).toBe('Booked: Ada to Oslo, 127 euros. Trips so far: 1');
    expect(proposed?.result.content?.[0]?.text).toBe('A trip to Oslo costs 134 euros. Ask the user to call us.');
  });
});

describe('the official client', () => {
  it('answers by its handlers, and takes a page for what it is', async () => {
    const client = new Client(
      { name: 'spec', version: '1.0.0' },
      {
        capabilities: { elicitation: { form: {}, url: {} } },
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      },
    );
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      if ('url' in params) return { action: 'accept' };
      const content: Record<string, string | boolean> = params.message.startsWith('Who')
        ? { name: 'Bob' }
        : { agreed: false };
      return { action: 'accept', content };
    });
    const url = /^MCP endpoint: (\S+)$/m.exec(printed)?.[1] ?? '';
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const trip = await client.callTool({ name: 'book_trip', arguments: { city: 'Rome' } });
    expect(trip.content).toEqual([{ type: 'text', text: 'Nothing was booked.' }]);
    expect(asked[1]).toMatch(/^Bob to Rome with 0 bags for \d+ euros\?$/);
    const paid = await client.callTool({ name: 'pay', arguments: {} });
    expect(paid.content).toEqual([{ type: 'text', text: 'Waiting for the payment of order-1' }]);
    await client.close();
  });
});
