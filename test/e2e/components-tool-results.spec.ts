import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { z } from 'zod';

import {
  audio,
  embedded,
  image,
  McpModule,
  resourceLink,
  text,
  Tool,
  toolError,
  type ToolArgs,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { referenceOf } from '../support/reference.js';
import { shareApp } from '../support/shared-app.js';
import { serve } from '../support/served-app.js';

const circular: Record<string, unknown> = {};
circular['self'] = circular;

const textBlock = (value: string): object => ({ type: 'text', text: value });
const structured = (value: unknown): object => ({
  content: [textBlock(JSON.stringify(value))],
  structuredContent: value,
});

/** What a handler returns, and the parts of the result that follow from it. */
const ANSWERS: Readonly<Record<string, readonly [returned: unknown, result: object]>> = {
  'a string': ['plain "text"', { content: [textBlock('plain "text"')] }],
  'an empty string': ['', { content: [textBlock('')] }],
  'an object': [{ a: 1, b: [true, null] }, structured({ a: 1, b: [true, null] })],
  'an empty object': [{}, structured({})],
  'a list of JSON': [[1, 'two', { three: 3 }], structured([1, 'two', { three: 3 }])],
  'an empty list': [[], structured([])],
  'a number': [12.5, structured(12.5)],
  'a boolean': [false, structured(false)],
  null: [null, structured(null)],
  undefined: [undefined, { content: [] }],
  'a date': [{ at: new Date('2026-07-28T00:00:00.000Z') }, structured({ at: '2026-07-28T00:00:00.000Z' })],
  'an object that looks like a block but has more': [
    { type: 'text', text: 'x', more: 1 },
    structured({ type: 'text', text: 'x', more: 1 }),
  ],
  'an object with a member "content" that is no list': [{ content: 'x' }, structured({ content: 'x' })],
  'a list of a block and a string': [[text('a'), 'b'], structured([textBlock('a'), 'b'])],
  'text()': [
    text('hello', { annotations: { priority: 1 } }),
    { content: [{ ...textBlock('hello'), annotations: { priority: 1 } }] },
  ],
  'image() of bytes': [
    image(Uint8Array.of(1, 2, 3), 'image/png'),
    { content: [{ type: 'image', data: 'AQID', mimeType: 'image/png' }] },
  ],
  'audio() of base64': [
    audio('AQID', 'audio/wav'),
    { content: [{ type: 'audio', data: 'AQID', mimeType: 'audio/wav' }] },
  ],
  'resourceLink()': [
    resourceLink({ uri: 'docs://a', name: 'a', size: 3 }),
    { content: [{ type: 'resource_link', uri: 'docs://a', name: 'a', size: 3 }] },
  ],
  'embedded()': [
    embedded({ uri: 'docs://a', text: 'A', mimeType: 'text/plain' }),
    { content: [{ type: 'resource', resource: { uri: 'docs://a', text: 'A', mimeType: 'text/plain' } }] },
  ],
  'a list of blocks': [
    [text('a'), image('AQID', 'image/png')],
    { content: [textBlock('a'), { type: 'image', data: 'AQID', mimeType: 'image/png' }] },
  ],
  'toolError()': [toolError('try 7'), { content: [textBlock('try 7')], isError: true }],
  'toolError() of blocks': [
    toolError([text('a'), text('b')]),
    { content: [textBlock('a'), textBlock('b')], isError: true },
  ],
  'a full result': [
    { content: [text('a')], structuredContent: { a: 1 }, _meta: { 'example.com/note': 1 } },
    { content: [textBlock('a')], structuredContent: { a: 1 } },
  ],
};

const IMPOSSIBLE: Readonly<Record<string, unknown>> = {
  'a BigInt': 1n,
  'an object with a BigInt': { big: 1n },
  'a circular object': circular,
  'a function': () => 1,
  'a symbol': Symbol('s'),
  'a Buffer': Buffer.from('secret bytes'),
  'a Uint8Array': Uint8Array.of(1, 2),
};

const given = z.object({ what: z.string() });

@Injectable()
class Giver {
  @Tool({ description: 'Returns what a table says', input: given })
  give({ what }: ToolArgs<typeof given>): unknown {
    return what in ANSWERS ? ANSWERS[what]?.[0] : IMPOSSIBLE[what];
  }

  @Tool({ description: 'The same, later', input: given })
  async give_later({ what }: ToolArgs<typeof given>): Promise<unknown> {
    await Promise.resolve();
    return this.give({ what });
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'giver', version: '1.0.0' })], providers: [Giver] })
class GiverModule {}

describe.each(ADAPTERS)('return values of tools on $name', (adapter) => {
  const served = shareApp(GiverModule, adapter);

  it.each(Object.entries(ANSWERS))('answers %s', async (what, [, expected]) => {
    const { app } = served;
    for (const tool of ['give', 'give_later']) {
      const { message } = await app.call(tool, { what });
      const { resultType, _meta: meta, ...result } = message.result;
      expect(result).toEqual(expected);
      expect(resultType).toBe('complete');
      expect(meta).toHaveProperty(['io.modelcontextprotocol/serverInfo', 'name'], 'giver');
    }
  });

  it('keeps the metadata of a full result beside its own', async () => {
    const { app } = served;
    const { message } = await app.call('give', { what: 'a full result' });
    expect(message.result['_meta']).toHaveProperty(['example.com/note'], 1);
  });

  it.each(Object.keys(IMPOSSIBLE))('answers %s with an internal error that the log explains', async (what) => {
    const { app, log } = served;
    const { message, text: wire, status } = await app.call('give', { what });
    expect(status).toBe(200);
    expect(message.error.code).toBe(-32603);
    expect(message.error.message).toBe('Internal error');
    const reference = referenceOf(message);
    expect(reference).toMatch(/^[0-9a-f-]{36}$/);
    expect(wire).not.toContain('secret');
    expect(log.texts('error')).toEqual([expect.stringContaining(`Giver.give failed [${reference}]`)]);
  });
});

const point = z.object({ x: z.number().int() });

@Injectable()
class Measured {
  @Tool({ description: 'More than the schema says', output: point })
  extra(): object {
    return { x: 1, secret: 'hush' };
  }

  @Tool({ description: 'A full result', output: point })
  full(): object {
    return { content: [text('x is 2')], structuredContent: { x: 2, secret: 'hush' } };
  }

  @Tool({ description: 'A value of the wrong type', output: point })
  wrong(): object {
    return { x: 'hush' };
  }

  @Tool({ description: 'Nothing', output: point })
  nothing(): undefined {
    return undefined;
  }

  @Tool({ description: 'Blocks alone', output: point })
  blocks(): object {
    return { content: [text('hush')] };
  }

  @Tool({ description: 'An error needs no structure', output: point })
  failed(): object {
    return toolError('cannot measure');
  }

  @Tool({ description: 'A default of the schema', output: z.object({ x: z.number().default(3) }) })
  completed(): object {
    return {};
  }

  @Tool({
    description: 'A block is a value here',
    output: { type: 'object', properties: { type: {}, text: {} }, required: ['text'] },
  })
  block_shaped(): object {
    return { type: 'text', text: 'a' };
  }

  @Tool({ description: 'A list', output: { type: 'array', items: { type: 'integer' } } })
  numbers(): number[] {
    return [1, 2];
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'measured', version: '1.0.0' })], providers: [Measured] })
class MeasuredModule {}

describe.each(ADAPTERS)('output schemas on $name', (adapter) => {
  const served = shareApp(MeasuredModule, adapter);

  it('sends the output of the schema in both places', async () => {
    const { app } = served;
    const { message, text: wire } = await app.call('extra');
    expect(message.result).toMatchObject(structured({ x: 1 }));
    expect(wire).not.toContain('hush');
  });

  it('checks the structured part of a full result and keeps its text', async () => {
    const { app } = served;
    const { message, text: wire } = await app.call('full');
    expect(message.result.structuredContent).toEqual({ x: 2 });
    expect(message.result.content).toEqual([textBlock('x is 2')]);
    expect(wire).not.toContain('hush');
  });

  it.each(['wrong', 'nothing', 'blocks'])(
    'turns %s into an internal error whose cause is in the log alone',
    async (tool) => {
      const { app, log } = served;
      const { message, text: wire } = await app.call(tool);
      expect(message.error).toEqual({
        code: -32603,
        message: 'Internal error',
        data: { reference: expect.any(String) },
      });
      expect(wire).not.toContain('hush');
      const [line] = log.texts('error');
      expect(line).toContain(`Measured.${tool} failed [${referenceOf(message)}]`);
      expect(line).toContain('does not fit the output schema');
    },
  );

  it('lets an error pass without structured content', async () => {
    const { app } = served;
    const { message } = await app.call('failed');
    expect(message.result.isError).toBe(true);
    expect(message.result).not.toHaveProperty('structuredContent');
  });

  it('sends added members, block shapes as values, and lists', async () => {
    const { app } = served;
    expect((await app.call('completed')).message.result.structuredContent).toEqual({ x: 3 });
    expect((await app.call('block_shaped')).message.result.structuredContent).toEqual({ type: 'text', text: 'a' });
    expect((await app.call('numbers')).message.result.structuredContent).toEqual([1, 2]);
  });

  it('lists an output schema only where one was declared', async () => {
    const { app } = served;
    const { message } = await app.send('tools/list');
    const tools = message.result.tools as unknown as { name: string; outputSchema?: { properties?: object } }[];
    expect(tools.find(({ name }) => name === 'extra')?.outputSchema?.properties).toEqual({
      x: expect.objectContaining({ type: 'integer' }),
    });
    await using plain = await serve(GiverModule, adapter);
    expect((await plain.send('tools/list')).text).not.toContain('outputSchema');
  });
});
