import { describe, expect, it } from '@jest/globals';
import { BadRequestException, ForbiddenException, Injectable, Module } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import { z } from 'zod';

import {
  assistant,
  Describe,
  embedded,
  image,
  McpContext,
  McpModule,
  Prompt,
  text,
  user,
  type ToolArgs,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { referenceOf } from '../support/reference.js';
import { shareApp } from '../support/shared-app.js';

const message = (role: string, value: string): object => ({ role, content: { type: 'text', text: value } });
const picture = { type: 'image', data: 'AQID', mimeType: 'image/png' };

const ANSWERS: Readonly<Record<string, readonly [returned: unknown, messages: readonly object[]]>> = {
  'a string': ['hello', [message('user', 'hello')]],
  'user()': [user('a'), [message('user', 'a')]],
  'assistant()': [assistant('b'), [message('assistant', 'b')]],
  'a conversation': [
    [user('a'), assistant('b'), 'c'],
    [message('user', 'a'), message('assistant', 'b'), message('user', 'c')],
  ],
  'a block': [image('AQID', 'image/png'), [{ role: 'user', content: picture }]],
  'user() of a block': [user(image('AQID', 'image/png')), [{ role: 'user', content: picture }]],
  'an embedded resource': [
    [embedded({ uri: 'docs://a', text: 'A' })],
    [{ role: 'user', content: { type: 'resource', resource: { uri: 'docs://a', text: 'A' } } }],
  ],
  'a message whose content is a string': [{ role: 'assistant', content: 'b' }, [message('assistant', 'b')]],
  'a full answer': [{ messages: [text('a')], _meta: { 'example.com/n': 1 } }, [message('user', 'a')]],
  nothing: [[], []],
};

const IMPOSSIBLE: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  'a number': 5,
  JSON: { secret: 1 },
  'a message of another role': { role: 'system', content: 'secret' },
  'a message with a list of blocks': { role: 'user', content: [text('secret')] },
  'messages that are no list': { messages: 'secret' },
  'a full answer with more': { messages: [], secret: 1 },
  'a description that is no text': { messages: [], description: 5 },
  'a function': () => 'secret',
};

const given = z.object({ what: z.string() });

@Injectable()
class Giver {
  @Prompt({ description: 'Says what a table says', input: given })
  give({ what }: ToolArgs<typeof given>): unknown {
    return what in ANSWERS ? ANSWERS[what]?.[0] : IMPOSSIBLE[what];
  }

  @Prompt({ description: 'As declared' })
  described(): object {
    return { messages: ['a'], description: 'As it turned out' };
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'giver', version: '1.0.0' })], providers: [Giver] })
class GiverModule {}

describe.each(ADAPTERS)('return values of prompts on $name', (adapter) => {
  const served = shareApp(GiverModule, adapter);

  it.each(Object.entries(ANSWERS))('answers %s', async (what, [, messages]) => {
    const { app } = served;
    const answer = await app.send('prompts/get', { name: 'give', arguments: { what } });
    expect(answer.message.result.messages).toEqual(messages);
    expect(answer.message.result.description).toBe('Says what a table says');
  });

  it('keeps the metadata of a full answer', async () => {
    const { message: answer } = await served.app.send('prompts/get', {
      name: 'give',
      arguments: { what: 'a full answer' },
    });
    expect(answer.result['_meta']).toHaveProperty(['example.com/n'], 1);
  });

  it('lets a full answer describe itself', async () => {
    const { app } = served;
    const answer = await app.send('prompts/get', { name: 'described' });
    expect(answer.message.result.description).toBe('As it turned out');
  });

  it.each(Object.keys(IMPOSSIBLE))('answers %s with an internal error that the log explains', async (what) => {
    const { app, log } = served;
    const answer = await app.send('prompts/get', { name: 'give', arguments: { what } });
    expect(answer.message.error).toEqual({
      code: -32603,
      message: 'Internal error',
      data: { reference: expect.any(String) },
    });
    expect(answer.text).not.toContain('secret');
    expect(log.texts('error')).toEqual([expect.stringContaining(`Giver.give failed [${referenceOf(answer.message)}]`)]);
  });
});

class IntroduceArgs {
  @Describe('Whom to introduce') @IsString() name!: string;
  @IsOptional() @IsString() tone?: string;
}

@Injectable()
class Introducer {
  @Prompt({ title: 'Introduce', description: 'Introduce someone' })
  introduce(context: McpContext, args: IntroduceArgs): string {
    return `Introduce ${args.name} ${args.tone ?? 'kindly'} for ${String(context.requestId)}`;
  }

  @Prompt({ description: 'Takes nothing' })
  plain(): string {
    return 'plain';
  }

  @Prompt({ description: 'Fails', input: { type: 'object', properties: { how: { type: 'string' } } } })
  fail({ how }: { how?: string }): string {
    if (how === 'bad') throw new BadRequestException(['too short', 'too late']);
    if (how === 'forbidden') throw new ForbiddenException('Not for you');
    throw new Error('secret');
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'introducer', version: '1.0.0' })], providers: [Introducer] })
class IntroducerModule {}

describe.each(ADAPTERS)('prompts on $name', (adapter) => {
  const served = shareApp(IntroducerModule, adapter);

  it('lists arguments out of the schema', async () => {
    const { app } = served;
    const { message: answer } = await app.send('prompts/list');
    expect(answer.result.prompts).toEqual([
      {
        name: 'introduce',
        title: 'Introduce',
        description: 'Introduce someone',
        arguments: [{ name: 'name', description: 'Whom to introduce', required: true }, { name: 'tone' }],
      },
      { name: 'plain', description: 'Takes nothing' },
      { name: 'fail', description: 'Fails', arguments: [{ name: 'how' }] },
    ]);
  });

  it('runs with the arguments and the context', async () => {
    const { app } = served;
    const answer = await app.send('prompts/get', { name: 'introduce', arguments: { name: 'Ada' } }, { id: 9 });
    expect(answer.message.result.messages).toEqual([message('user', 'Introduce Ada kindly for 9')]);
  });

  it.each([
    ['a missing argument', { name: 'introduce' }, 'name'],
    ['an undeclared argument', { name: 'introduce', arguments: { name: 'a', extra: 'x' } }, 'extra'],
    ['an argument that is no string', { name: 'introduce', arguments: { name: 5 } }, 'strings'],
    ['arguments that are null', { name: 'plain', arguments: null }, 'object'],
    ['arguments that are a list', { name: 'plain', arguments: [] }, 'object'],
    ['extra arguments of a prompt without any', { name: 'plain', arguments: { a: 'b' } }, 'a'],
    ['an unknown prompt', { name: 'nobody' }, 'nobody'],
    ['a bad request of the handler', { name: 'fail', arguments: { how: 'bad' } }, 'too short; too late'],
  ])('answers %s with -32602', async (_what, params, words) => {
    const { app } = served;
    const { message: answer, status } = await app.send('prompts/get', params);
    expect(status).toBe(200);
    expect(answer.error.code).toBe(-32602);
    expect(answer.error.message).toContain(words);
  });

  it('answers an exception of the application with its code, and unknown errors without details', async () => {
    const { app } = served;
    const refused = await app.send('prompts/get', { name: 'fail', arguments: { how: 'forbidden' } });
    expect(refused.message.error).toEqual({ code: 403, message: 'Not for you' });
    const failed = await app.send('prompts/get', { name: 'fail' });
    expect(failed.message.error.code).toBe(-32603);
    expect(failed.text).not.toContain('secret');
  });
});
