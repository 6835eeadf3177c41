import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { RunningSample, runShell } from '../../test/support/running-sample.js';

const START_MS = 120_000;

let sample: RunningSample;

beforeAll(async () => {
  sample = await RunningSample.start('06-interactive-tools');
}, START_MS);

afterAll(() => sample?.stop(), START_MS);

interface Answer {
  readonly result: {
    readonly resultType: string;
    readonly inputRequests?: Readonly<Record<string, { readonly params: { readonly message: string } }>>;
    readonly content?: readonly { readonly text: string }[];
  };
}

describe('what the sample prints', () => {
  it('carries no warning', () => {
    expect(sample.output).not.toMatch(/\b(WARN|ERROR)\b/);
  });
});

describe('the README', () => {
  it('books a trip', async () => {
    expect(sample.shellBlocks).toHaveLength(5);
    // All blocks run in one shell, since each uses the state of the previous one; each answer is one line.
    const output = await runShell(sample.shellBlocks.join('echo\n'));
    const answers = output
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
    await client.connect(new StreamableHTTPClientTransport(sample.endpoint));
    const trip = await client.callTool({ name: 'book_trip', arguments: { city: 'Rome' } });
    expect(trip.content).toEqual([{ type: 'text', text: 'Nothing was booked.' }]);
    expect(asked[1]).toMatch(/^Bob to Rome with 0 bags for \d+ euros\?$/);
    const paid = await client.callTool({ name: 'pay', arguments: {} });
    expect(paid.content).toEqual([{ type: 'text', text: 'Waiting for the payment of order-1' }]);
    await client.close();
  });
});
