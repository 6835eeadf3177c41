import { beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { z } from 'zod';

import {
  Completion,
  elicit,
  elicitUrl,
  inputRequired,
  McpContext,
  McpModule,
  Prompt,
  Resource,
  roots,
  sample,
  Tool,
  user,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { accept, RoundClient, textOf } from '../support/rounds.js';
import { shareApp } from '../support/shared-app.js';

const nameForm = z.object({ name: z.string().min(1) });

class OrderForm {
  @IsString() @IsIn(['tea', 'coffee']) drink!: string;
  @IsInt() @Min(1) @Max(9) cups!: number;
}

let runs: string[] = [];

@Injectable()
class Waiter {
  @Tool({ description: 'Asks for a name' })
  async greet(ctx: McpContext): Promise<string> {
    const answer = await ctx.elicit('user_name', { message: 'What is your name?', schema: nameForm });
    return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : `No name: ${answer.action}`;
  }

  @Tool({ description: 'Asks by a DTO', input: z.object({ table: z.int() }) })
  async order({ table }: { table: number }, ctx: McpContext): Promise<string> {
    const answer = await ctx.elicit('order', { message: 'What would you like?', schema: OrderForm });
    if (answer.action !== 'accept') return 'Nothing then';
    const { content } = answer;
    return `${content.cups} x ${content.drink} for table ${table} (${content instanceof OrderForm})`;
  }

  @Tool({ description: 'Asks twice, and computes once' })
  async dinner(ctx: McpContext): Promise<{ number: number; main: string; dessert: string; at: string }> {
    runs.push('run');
    const order = await ctx.once('order', () => {
      runs.push('once');
      return { number: runs.length, at: new Date(0) };
    });
    const main = await ctx.elicit('main', { message: 'Main?', schema: nameForm });
    const dessert = await ctx.elicit('dessert', { message: 'Dessert?', schema: nameForm });
    const chosen = (answer: typeof main): string => (answer.action === 'accept' ? answer.content.name : 'none');
    return { number: order.number, main: chosen(main), dessert: chosen(dessert), at: order.at as unknown as string };
  }

  @Tool({ description: 'Asks everything at once' })
  async all(ctx: McpContext): Promise<object> {
    const answers = await ctx.ask({
      name: elicit({ message: 'Name?', schema: nameForm }),
      page: elicitUrl({ message: 'Pay', url: 'https://pay.example.com/1' }),
      poem: sample({ messages: [user('A poem')], maxTokens: 20 }),
      places: roots(),
    });
    return { ...answers };
  }

  @Tool({ description: 'Asks at the same time' })
  async both(ctx: McpContext): Promise<string> {
    const [a, b] = await Promise.all([
      ctx.elicit('a', { message: 'A?', schema: nameForm }),
      ctx.elicitUrl('b', { message: 'B?', url: 'https://b.example.com' }),
    ]);
    return `${a.action} ${b.action}`;
  }

  @Tool({ description: 'Adapts to its client' })
  async adapt(ctx: McpContext): Promise<string> {
    if (ctx.client.can('elicitation.form')) await ctx.elicit('x', { message: 'X?', schema: nameForm });
    if (!ctx.client.can('sampling')) return 'Nothing can be asked';
    const { content } = await ctx.sample('y', { messages: [user('Y?')], maxTokens: 5 });
    return JSON.stringify(content);
  }

  @Tool({ description: 'Swallows what it must not' })
  async swallow(ctx: McpContext): Promise<string> {
    try {
      await ctx.elicit('x', { message: 'X?', schema: nameForm });
    } catch {
      return 'swallowed';
    }
    return 'answered';
  }

  @Tool({ description: 'Does not wait for its answer' })
  forget(ctx: McpContext): string {
    void ctx.elicit('x', { message: 'X?', schema: nameForm });
    return 'forgotten';
  }

  @Tool({ description: 'Two questions of one key' })
  async twice(ctx: McpContext): Promise<string> {
    await Promise.all([
      ctx.elicit('x', { message: 'X?', schema: nameForm }),
      ctx.elicit('x', { message: 'Another?', schema: nameForm }),
    ]);
    return 'never';
  }

  @Tool({ description: 'By hand' })
  manual(ctx: McpContext): unknown {
    const { step = 0 } = (ctx.requestState ?? {}) as { step?: number };
    if (step < 2) {
      return inputRequired({
        questions: { [`step${step + 1}`]: elicit({ message: `Step ${step + 1}`, schema: nameForm }) },
        state: { step: step + 1 },
      });
    }
    return { answers: ctx.inputResponses, state: ctx.requestState };
  }

  @Tool({ description: 'Only waits' })
  later(ctx: McpContext): unknown {
    return ctx.requestState === undefined
      ? inputRequired({ state: 'later' })
      : `It is ${JSON.stringify(ctx.requestState)}`;
  }

  @Tool({ description: 'Reports before it asks' })
  async report(ctx: McpContext): Promise<string> {
    await ctx.progress(1);
    await ctx.elicit('x', { message: 'X?', schema: nameForm });
    return 'done';
  }

  @Tool({ description: 'A form that no client could show' })
  async impossible(ctx: McpContext): Promise<string> {
    await ctx.elicit('x', { message: 'X?', schema: z.object({ deep: z.object({ a: z.string() }) }) });
    return 'never';
  }

  @Tool({ description: 'Once, in vain' })
  async vain(ctx: McpContext): Promise<string> {
    await ctx.once('f', () => () => 1);
    return 'never';
  }

  @Tool({ description: 'Keeps too much' })
  async hoard(ctx: McpContext): Promise<string> {
    await ctx.once('big', () => 'x'.repeat(20_000));
    await ctx.elicit('x', { message: 'X?', schema: nameForm });
    return 'never';
  }

  @Tool({ description: 'Asks more than a client may answer' })
  async crowd(ctx: McpContext): Promise<string> {
    await ctx.ask(Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [index, roots()])));
    return 'never';
  }

  @Prompt({ description: 'Asks for context' })
  async introduce(ctx: McpContext): Promise<string> {
    const answer = await ctx.elicit('user_context', { message: 'Context?', schema: nameForm });
    return answer.action === 'accept' ? `About ${answer.content.name}` : 'About nobody';
  }

  @Resource({ uri: 'menu://today', description: 'Asks for a diet' })
  async menu(ctx: McpContext): Promise<string> {
    const answer = await ctx.elicit('diet', { message: 'Diet?', schema: nameForm });
    return answer.action === 'accept' ? `Menu for ${answer.content.name}` : 'Menu';
  }

  @Resource({ uri: 'menu://{day}/lunch', description: 'Asks for a diet' })
  async lunch({ day }: { day: string }, ctx: McpContext): Promise<string> {
    const answer = await ctx.elicit('diet', { message: 'Diet?', schema: nameForm });
    return `${day} ${answer.action}`;
  }

  @Prompt({ description: 'd', input: z.object({ a: z.string() }) })
  complete(): string {
    return 'x';
  }

  @Completion({ prompt: 'complete', argument: 'a' })
  async values(_value: string, ctx: McpContext): Promise<string[]> {
    await ctx.elicit('x', { message: 'X?', schema: nameForm });
    return [];
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'waiter', version: '1.0.0' })], providers: [Waiter] })
class WaiterModule {}

const formOf = (message: string, properties: object, required: readonly string[]): object => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: expect.objectContaining({ type: 'object', properties, required }) },
});

describe.each(ADAPTERS)('questions on $name', (adapter) => {
  const shared = shareApp(WaiterModule, adapter);

  beforeEach(() => {
    runs = [];
  });

  it('end the run, and the answer starts it again', async () => {
    const client = RoundClient.tool(shared.app, 'greet');
    const { questions, state, answer } = await client.round();
    expect(answer.status).toBe(200);
    expect(questions).toEqual({
      user_name: formOf('What is your name?', { name: { type: 'string', minLength: 1 } }, ['name']),
    });
    expect(textOf(await client.send({ responses: { user_name: accept({ name: 'Ada' }) }, state }))).toBe('Hello, Ada!');
  });

  it.each(['decline', 'cancel'])('take %s for an answer', async (action) => {
    const client = RoundClient.tool(shared.app, 'greet');
    const { state } = await client.round();
    expect(textOf(await client.send({ responses: { user_name: { action } }, state }))).toBe(`No name: ${action}`);
  });

  it('validate by a class, and give its instance', async () => {
    const client = RoundClient.tool(shared.app, 'order', { table: 4 });
    const { questions, state } = await client.round();
    expect(questions['order']?.params['requestedSchema']).toMatchObject({
      properties: { drink: { enum: ['tea', 'coffee'] }, cups: { type: 'integer', minimum: 1, maximum: 9 } },
    });
    const responses = { order: accept({ drink: 'tea', cups: 2 }) };
    expect(textOf(await client.send({ responses, state }))).toBe('2 x tea for table 4 (true)');
  });

  it('are asked again when the answer does not fit, is missing, or is another one', async () => {
    const client = RoundClient.tool(shared.app, 'order', { table: 4 });
    const { state } = await client.round();
    for (const responses of [{ order: accept({ drink: 'tea', cups: 99 }) }, {}, { other: accept({}) }]) {
      const again = await client.round({ responses, state });
      expect(Object.keys(again.questions)).toEqual(['order']);
    }
    expect(textOf(await client.send({ responses: { order: accept({ drink: 'coffee', cups: 1 }) }, state }))).toBe(
      '1 x coffee for table 4 (true)',
    );
  });

  it.each([
    ['no object', { user_name: 12_345 }],
    ['null', null],
    ['a list', []],
    ['without an action', { user_name: { ok: true } }],
    ['of an unknown action', { user_name: { action: 'maybe' } }],
    ['with nested content', { user_name: { action: 'decline', content: { deep: {} } } }],
  ])('refuse what is no answer: %s', async (_what, responses) => {
    const client = RoundClient.tool(shared.app, 'greet');
    const { state } = await client.round();
    for (const reply of [{ responses, state }, { responses }]) {
      const { message } = await client.send(reply as never);
      expect(message.error).toMatchObject({ code: -32602 });
      expect(JSON.stringify(message.error)).not.toContain('maybe');
    }
  });

  it('take answers without a state, since some clients know them before', async () => {
    const client = RoundClient.tool(shared.app, 'greet');
    const responses = { user_name: accept({ name: 'Eve' }), extra: accept({}) };
    expect(textOf(await client.send({ responses }))).toBe('Hello, Eve!');
  });

  it('take several rounds, keep earlier answers, and compute values once', async () => {
    const client = RoundClient.tool(shared.app, 'dinner');
    const first = await client.round();
    expect(Object.keys(first.questions)).toEqual(['main']);
    const second = await client.round({ responses: { main: accept({ name: 'soup' }) }, state: first.state });
    expect(Object.keys(second.questions)).toEqual(['dessert']);
    expect(second.state).not.toBe(first.state);
    const last = await client.send({ responses: { dessert: accept({ name: 'cake' }) }, state: second.state });
    expect(last.message.result?.['structuredContent']).toEqual({
      number: 2,
      main: 'soup',
      dessert: 'cake',
      at: '1970-01-01T00:00:00.000Z',
    });
    expect(runs).toEqual(['run', 'once', 'run', 'run']);
  });

  it('of every kind go out together', async () => {
    const client = RoundClient.tool(shared.app, 'all');
    const { questions, state } = await client.round();
    expect(questions).toEqual({
      name: formOf('Name?', { name: { type: 'string', minLength: 1 } }, ['name']),
      page: {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Pay', url: 'https://pay.example.com/1' },
      },
      poem: {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: 'A poem' } }], maxTokens: 20 },
      },
      places: { method: 'roots/list', params: {} },
    });
    const poem = { role: 'assistant', content: { type: 'text', text: 'Roses' }, model: 'm', stopReason: 'endTurn' };
    const responses = {
      name: accept({ name: 'Ada' }),
      page: { action: 'accept' },
      poem,
      places: { roots: [{ uri: 'file:///home/ada', name: 'home' }] },
    };
    const done = await client.send({ responses, state });
    expect(done.message.result?.['structuredContent']).toEqual({
      name: { action: 'accept', content: { name: 'Ada' } },
      page: { action: 'accept' },
      poem,
      places: [{ uri: 'file:///home/ada', name: 'home' }],
    });
  });

  it('that are asked at the same time go out in one round', async () => {
    const client = RoundClient.tool(shared.app, 'both');
    const { questions, state } = await client.round();
    expect(Object.keys(questions)).toEqual(['a', 'b']);
    const responses = { a: { action: 'decline' }, b: { action: 'accept' } };
    expect(textOf(await client.send({ responses, state }))).toBe('decline accept');
  });

  it('are sent, for any use of the signal in the handler', async () => {
    for (const name of ['swallow', 'forget']) {
      const { questions } = await RoundClient.tool(shared.app, name).round();
      expect(Object.keys(questions)).toEqual(['x']);
    }
  });

  it('work in prompts and resources', async () => {
    const prompt = new RoundClient(shared.app, 'prompts/get', { name: 'introduce' });
    const asked = await prompt.round();
    const got = await prompt.send({ responses: { user_context: accept({ name: 'bees' }) }, state: asked.state });
    expect(got.message.result?.['messages']).toMatchObject([{ content: { text: 'About bees' } }]);
    for (const [uri, text] of [
      ['menu://today', 'Menu for vegans'],
      ['menu://monday/lunch', 'monday accept'],
    ]) {
      const resource = new RoundClient(shared.app, 'resources/read', { uri });
      const { state, answer } = await resource.round();
      expect(answer.message.result).not.toHaveProperty('ttlMs');
      const read = await resource.send({ responses: { diet: accept({ name: 'vegans' }) }, state });
      expect(read.message.result).toMatchObject({ contents: [{ text }], ttlMs: 0, cacheScope: 'private' });
    }
  });

  it('are not possible in completions', async () => {
    const params = { ref: { type: 'ref/prompt', name: 'complete' }, argument: { name: 'a', value: '' } };
    const { message } = await new RoundClient(shared.app, 'completion/complete', params).send();
    expect(message.error).toMatchObject({ code: -32603, data: { reference: expect.any(String) } });
  });

  it('can be asked by hand', async () => {
    const client = RoundClient.tool(shared.app, 'manual');
    const first = await client.round();
    expect(Object.keys(first.questions)).toEqual(['step1']);
    const second = await client.round({ responses: { step1: accept({ name: 'a' }) }, state: first.state });
    const done = await client.send({ responses: { step2: accept({ name: 'b' }) }, state: second.state });
    expect(done.message.result?.['structuredContent']).toEqual({
      answers: { step1: accept({ name: 'a' }), step2: accept({ name: 'b' }) },
      state: { step: 2 },
    });
    const later = RoundClient.tool(shared.app, 'later');
    const { questions, state } = await later.round();
    expect(questions).toEqual({});
    expect(textOf(await later.send({ state }))).toBe('It is "later"');
  });

  it.each(['twice', 'impossible', 'vain', 'hoard', 'crowd'])(
    'that an author gets wrong are his error: %s',
    async (name) => {
      const { message } = await RoundClient.tool(shared.app, name).send();
      expect(message.error).toMatchObject({ code: -32603, data: { reference: expect.any(String) } });
    },
  );
});

describe.each(ADAPTERS)('capabilities of clients on $name', (adapter) => {
  const shared = shareApp(WaiterModule, adapter);

  it.each([
    [{}, { elicitation: { form: {} } }],
    [{ elicitation: { url: {} } }, { elicitation: { form: {} } }],
    [{ sampling: {} }, { elicitation: { form: {} } }],
  ])('that are too few are an error before anything streams: %j', async (capabilities, required) => {
    const { status, message } = await RoundClient.tool(shared.app, 'greet', {}, { capabilities }).send();
    expect(status).toBe(400);
    expect(message.error).toMatchObject({ code: -32021, data: { requiredCapabilities: required } });
  });

  it.each([{ elicitation: {} }, { elicitation: { form: {} } }])('show forms: %j', async (capabilities) => {
    const { questions } = await RoundClient.tool(shared.app, 'greet', {}, { capabilities }).round();
    expect(Object.keys(questions)).toEqual(['user_name']);
  });

  it('that are malformed are refused as such', async () => {
    for (const elicitation of [{ form: false }, { smoke: {} }]) {
      const { message } = await RoundClient.tool(shared.app, 'greet', {}, { capabilities: { elicitation } }).send();
      expect(message.error).toMatchObject({ code: -32602 });
    }
  });

  it('count together where questions are asked together', async () => {
    const { message } = await RoundClient.tool(shared.app, 'all', {}, { capabilities: { elicitation: {} } }).send();
    expect(message.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } },
    });
  });

  it('can be asked for, so that a handler finds another way', async () => {
    expect(textOf(await RoundClient.tool(shared.app, 'adapt', {}, { capabilities: {} }).send())).toBe(
      'Nothing can be asked',
    );
    const { questions } = await RoundClient.tool(shared.app, 'adapt', {}, { capabilities: { sampling: {} } }).round();
    expect(questions).toMatchObject({ y: { method: 'sampling/createMessage' } });
  });

  it('that are answered in part after an event are an error within the stream', async () => {
    const client = RoundClient.tool(shared.app, 'report', {}, { capabilities: {}, meta: { progressToken: 't' } });
    const { status, messages } = await client.send();
    expect(status).toBe(200);
    expect(messages).toHaveLength(2);
    expect(messages[1]?.error).toMatchObject({ code: -32021 });
  });
});
