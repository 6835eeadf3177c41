import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, type McpSubscription } from '@modelcontextprotocol/client';

import { RunningSample } from '../../test/support/running-sample.js';

const START_MS = 120_000;
const KILN = 'studio://kiln';
const POTS = ['celadon bowl', 'celadon jug', 'celadon cup'];
const STEPS = [250, 500, 750, 1000, 1240];

/** The notifications of a subscription so far, and a way to wait for more. */
class Hearsay {
  private heard: string[] = [];
  private wake: () => void = () => undefined;

  add(method: string): void {
    this.heard.push(method);
    this.wake();
  }

  clear(): void {
    this.heard = [];
  }

  async until(holds: (heard: readonly string[]) => boolean): Promise<void> {
    while (!holds(this.heard)) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}

const UPDATED = 'notifications/resources/updated';
const TOOLS_CHANGED = 'notifications/tools/list_changed';

let sample: RunningSample;
let client: Client;
let subscription: McpSubscription;
const hearsay = new Hearsay();

beforeAll(async () => {
  sample = await RunningSample.start('02-progress-and-subscriptions');
  client = new Client(
    { name: 'sample-spec', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(sample.endpoint));
  client.setNotificationHandler(UPDATED, () => hearsay.add(UPDATED));
  client.setNotificationHandler(TOOLS_CHANGED, () => hearsay.add(TOOLS_CHANGED));
  subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: [KILN] });
}, START_MS);

afterAll(async () => {
  await client?.close();
  await sample?.stop();
}, START_MS);

const fire = (options: Parameters<Client['callTool']>[1] = {}) =>
  client.callTool({ name: 'fire_kiln', arguments: { pots: POTS } }, options);

async function toolNames(): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

async function kiln(): Promise<Record<string, unknown>> {
  const { contents } = await client.readResource({ uri: KILN });
  const [content] = contents;
  return JSON.parse(content !== undefined && 'text' in content ? content.text : '') as Record<string, unknown>;
}

/** Runs the code block of the README that contains a text, after the definition that it needs. */
function paste(text: string): ChildProcess {
  const definition = sample.shellBlocks.find((block) => block.startsWith('call() {'));
  const block = sample.shellBlocks.find((code) => code !== definition && code.includes(text));
  // In a separate process group, as in a terminal.
  return spawn('sh', ['-c', `${definition}${block}`], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
}

/** The effect of Ctrl+C: all processes of the group get the signal. */
async function interrupt(child: ChildProcess): Promise<void> {
  const gone = once(child, 'close');
  process.kill(-(child.pid ?? 0), 'SIGINT');
  await gone;
}

/** Reads until the output contains a text. */
async function readUntil(child: ChildProcess, text: string): Promise<string> {
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk);
    if (output.includes(text)) return output;
  }
  throw new Error(`There is no ${text} in:\n${output}`);
}

describe('what the sample prints', () => {
  it('carries no warning', () => {
    expect(sample.output).not.toMatch(/\b(WARN|ERROR)\b/);
  });
});

describe('the README', () => {
  it('holds a request to listen with', async () => {
    const curl = paste('subscriptions/listen');
    const heard = await readUntil(curl, '\n\n');
    expect(heard).toContain('notifications/subscriptions/acknowledged');
    expect(heard).toContain(`{"toolsListChanged":true,"resourceSubscriptions":["${KILN}"]}`);
    await interrupt(curl);
  });

  it('holds a call that streams: a log message, progress, and the result', async () => {
    const output = await readUntil(paste('glaze_pots'), '"result"');
    const kinds = output.matchAll(/^data: \{"jsonrpc":"2.0",(?:"method":"([^"]+)"|"id":1,"(result)")/gm);
    expect([...kinds].map(([, method, result]) => method ?? result)).toEqual([
      'notifications/message',
      ...POTS.map(() => 'notifications/progress'),
      'result',
    ]);
  });
});

describe('a firing', () => {
  it('tells how hot the kiln is, and whoever listens hears that it changes', async () => {
    hearsay.clear();
    const updates: unknown[] = [];
    const { content } = await fire({ onprogress: ({ progress, total }) => updates.push([progress, total]) });
    expect(updates).toEqual(STEPS.map((celsius) => [celsius, STEPS.at(-1)]));
    expect(content).toEqual([{ type: 'text', text: 'The kiln has cooled down. Call open_kiln.' }]);
    await hearsay.until((heard) => heard.includes(UPDATED));
    expect(await kiln()).toEqual({ state: 'ready', celsius: 20, pots: POTS });
  });

  it('brings a tool, which goes when it was used', async () => {
    await hearsay.until((heard) => heard.includes(TOOLS_CHANGED));
    expect(await toolNames()).toEqual(['glaze_pots', 'fire_kiln', 'open_kiln']);
    expect(await fire()).toMatchObject({ isError: true });
    hearsay.clear();
    const { structuredContent } = await client.callTool({ name: 'open_kiln', arguments: {} });
    expect(structuredContent).toEqual({ pots: POTS });
    await hearsay.until((heard) => heard.includes(TOOLS_CHANGED));
    expect(await toolNames()).toEqual(['glaze_pots', 'fire_kiln']);
    await expect(client.callTool({ name: 'open_kiln', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });

  it('ends when its client leaves', async () => {
    const curl = paste('fire_kiln');
    await readUntil(curl, '"progress":250');
    await interrupt(curl);
    do {
      await hearsay.until((heard) => heard.includes(UPDATED));
      hearsay.clear();
    } while ((await kiln()).state !== 'cold');
    expect(await toolNames()).toEqual(['glaze_pots', 'fire_kiln']);
  });
});

describe('the end of the app', () => {
  it('is told to whoever listens', async () => {
    const gone = once(sample.process, 'exit');
    sample.process.kill('SIGTERM');
    expect(await subscription.closed).toBe('graceful');
    await gone;
  });
});
