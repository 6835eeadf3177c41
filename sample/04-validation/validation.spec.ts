import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { RunningSample, runShell } from '../../test/support/running-sample.js';

const START_MS = 120_000;
const TOOLS = ['order_by_dto', 'order_by_zod', 'order_by_json_schema'];
const SATURDAY = '2030-05-04';
const MONDAY = '2030-05-06';

let sample: RunningSample;
let client: Client;

beforeAll(async () => {
  sample = await RunningSample.start('04-validation');
  client = new Client(
    { name: 'sample-spec', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(sample.endpoint));
}, START_MS);

afterAll(async () => {
  await client?.close();
  await sample?.stop();
}, START_MS);

const order = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });

/** The error text of a failed call. */
async function refusal(name: string, args: Record<string, unknown>): Promise<string> {
  const { isError, content } = await order(name, args);
  const [block] = content;
  expect(isError).toBe(true);
  return block?.type === 'text' ? block.text : '';
}

async function ordersSoFar(): Promise<number> {
  const { structuredContent } = await order('order_by_dto', { flavour: 'almond', day: SATURDAY });
  return (structuredContent as { number: number }).number;
}

describe('what the sample prints', () => {
  it('carries no warning', () => {
    expect(sample.output).not.toMatch(/\b(WARN|ERROR)\b/);
  });
});

describe('the README', () => {
  it.each([
    ['tools/list', '"tools":['],
    ['order_by_dto', '"structuredContent":{"number":'],
    ['order_by_zod', '"isError":true'],
    ['order_by_json_schema', '"isError":true'],
  ])('holds a request that works as it stands: %s', async (text, answer) => {
    const definition = sample.shellBlocks.find((block) => block.startsWith('call() {'));
    const request = sample.shellBlocks.find((block) => block !== definition && block.includes(text));
    expect(await runShell(`${definition}${request}`)).toContain(answer);
  });
});

describe('what clients see', () => {
  it('is one schema, whatever describes the arguments', async () => {
    const { tools } = await client.listTools();
    const schemas = TOOLS.map((name) => tools.find((tool) => tool.name === name)?.inputSchema);
    for (const schema of schemas) {
      expect(schema).toMatchObject({
        type: 'object',
        properties: {
          flavour: { enum: ['almond', 'chocolate', 'lemon'], description: 'What the cake tastes of' },
          guests: { type: 'integer', minimum: 2, maximum: 40, default: 8 },
          day: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
          writing: { description: 'What is written on it' },
        },
        required: ['flavour', 'day'],
        additionalProperties: false,
      });
    }
    expect(JSON.stringify(schemas)).not.toContain('Monday');
  });

  it('includes what comes back', async () => {
    const { tools } = await client.listTools();
    for (const { outputSchema } of tools) {
      expect(Object.keys(outputSchema?.['properties'] ?? {})).toEqual(['number', 'cake', 'day', 'price']);
    }
  });
});

describe.each(TOOLS)('%s', (tool) => {
  it('takes what the schema allows, and fills in defaults', async () => {
    const plain = await order(tool, { flavour: 'lemon', day: SATURDAY });
    expect(plain.structuredContent).toMatchObject({ cake: 'lemon cake for 8', day: SATURDAY, price: 36 });
    const written = await order(tool, { flavour: 'lemon', day: SATURDAY, guests: 2, writing: 'Zoë' });
    expect(written.structuredContent).toMatchObject({ cake: 'lemon cake for 2, "Zoë"', price: 18 });
    const bare = await order(tool, { flavour: 'lemon', day: SATURDAY, writing: null });
    expect(bare.structuredContent).toMatchObject({ cake: 'lemon cake for 8' });
  });

  it('lets nothing out that the output schema does not name', async () => {
    const { structuredContent, content } = await order(tool, { flavour: 'almond', day: SATURDAY });
    expect(Object.keys(structuredContent ?? {})).toEqual(['number', 'cake', 'day', 'price']);
    expect(JSON.stringify(content)).not.toContain('cost');
  });

  it.each([
    ['a value that is not in the list', { flavour: 'liver', day: SATURDAY }, 'flavour'],
    ['a number as a string', { flavour: 'lemon', day: SATURDAY, guests: '8' }, 'guests'],
    ['a number that is too large', { flavour: 'lemon', day: SATURDAY, guests: 41 }, 'guests'],
    ['a part of a person', { flavour: 'lemon', day: SATURDAY, guests: 2.5 }, 'guests'],
    ['null where it is not allowed', { flavour: 'lemon', day: SATURDAY, guests: null }, 'guests'],
    ['a text that is too long', { flavour: 'lemon', day: SATURDAY, writing: 'o'.repeat(31) }, 'writing'],
    ['another form of a day', { flavour: 'lemon', day: '4 May 2030' }, 'day'],
    ['a member that is missing', { flavour: 'lemon' }, 'day'],
    ['a member too many', { flavour: 'lemon', day: SATURDAY, layers: 3 }, 'layers'],
    ['a Monday, which no JSON Schema can tell', { flavour: 'lemon', day: MONDAY }, 'closed'],
  ])('refuses %s, and says where', async (_what, args, place) => {
    const before = await ordersSoFar();
    expect(await refusal(tool, args)).toContain(place);
    expect(await ordersSoFar()).toBe(before + 1);
  });
});

describe('an answer outside the output schema', () => {
  it('is an internal error, of which clients learn nothing', async () => {
    const failed = order('show_old_order', {});
    await expect(failed).rejects.toMatchObject({ code: -32603, message: expect.stringMatching(/Internal error/) });
    await expect(failed).rejects.not.toMatchObject({ message: expect.stringContaining('Ada') });
  });
});
