import { describe, expect, it } from '@jest/globals';
import { InvalidQuestionError } from '../../../lib/errors/invalid-question.error.js';
import { FormCompiler } from '../../../lib/questions/form.compiler.js';
import { sample } from '../../../lib/questions/sample.question.js';
import { assistant, audio, image, text, user } from '../../../lib/model/content.builders.js';
import type { SampleParams } from '../../../lib/model/questions.js';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';
import { isOfficialAnswer, readOfficially } from '../../support/question-oracle.js';

const forms = new FormCompiler(new SchemaResolver());
const plain: SampleParams = { messages: [user('What is the capital of France?')], maxTokens: 100 };
const withParams = (params: object) => ({ ...plain, ...params }) as SampleParams;
const tool = { name: 'add', inputSchema: { type: 'object' } };
const use = { type: 'tool_use', id: '1', name: 'add', input: {} } as const;
const result = { type: 'tool_result', toolUseId: '1', content: [text('2')] } as const;
const dialog = [user('1 + 1?'), { role: 'assistant', content: [text('Well'), use] }, { role: 'user', content: result }];

describe('sample', () => {
  it.each<[what: string, params: SampleParams, needs: string[]]>([
    ['a question', plain, ['sampling']],
    [
      'everything that can be said',
      withParams({
        messages: [user('a'), assistant('b'), { role: 'user', content: [text('c'), image('aaaa', 'image/png')] }],
        systemPrompt: 'Be brief',
        temperature: 0.5,
        stopSequences: ['\n'],
        metadata: { provider: { any: [1] } },
        includeContext: 'none',
        modelPreferences: { hints: [{ name: 'small' }, {}], costPriority: 1, speedPriority: 0 },
      }),
      ['sampling'],
    ],
    ['sound', withParams({ messages: [user(audio('', 'audio/wav'))] }), ['sampling']],
    ['tools', withParams({ tools: [tool], toolChoice: { mode: 'required' } }), ['sampling', 'sampling.tools']],
    ['a choice of tools', withParams({ toolChoice: {} }), ['sampling', 'sampling.tools']],
    ['the results of tools', withParams({ messages: dialog }), ['sampling', 'sampling.tools']],
    ['context', withParams({ includeContext: 'thisServer' }), ['sampling', 'sampling.context']],
  ])('asks with %s', async (_what, params, needs) => {
    const question = sample(params);
    const { wire } = await question.prepare(forms);
    expect(wire).toEqual({ method: 'sampling/createMessage', params });
    expect(() => readOfficially(wire)).not.toThrow();
    expect(question.needs).toEqual(needs);
  });

  it('keeps the question when the object is changed later', async () => {
    const messages = [user('first')];
    const question = sample({ messages, maxTokens: 5 });
    messages.push(user('second'));
    const { wire } = await question.prepare(forms);
    expect(wire.params['messages']).toHaveLength(1);
    expect(Object.isFrozen(wire.params['messages'])).toBe(true);
  });

  it.each<[object, string]>([
    [{ maxTokens: 0 }, '`maxTokens`'],
    [{ maxTokens: 1.5 }, '`maxTokens`'],
    [{ maxTokens: undefined }, '`maxTokens`'],
    [{ maxTokens: Infinity }, '`maxTokens`'],
    [{ messages: [] }, '`messages`'],
    [{ messages: 'hi' }, '`messages`'],
    [{ messages: ['hi'] }, 'messages[0]'],
    [{ messages: [{ role: 'system', content: text('a') }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content.type'],
    [{ messages: [{ role: 'user', content: 'hi' }] }, 'messages[0].content.type'],
    [{ messages: [user('a'), { role: 'user', content: [{ type: 'text' }] }] }, 'messages[1].content[0].text'],
    [{ messages: [user({ type: 'resource_link', uri: 'a:b', name: 'b' })] }, 'messages[0].content.type'],
    [{ messages: [user(image('not base64!', 'image/png'))] }, 'messages[0].content.data'],
    [{ messages: [{ role: 'user', content: { type: 'image', data: '' } }] }, 'messages[0].content.mimeType'],
    [{ messages: [{ role: 'user', content: { type: 'toString' } }] }, 'messages[0].content.type'],
    [{ temperature: NaN }, 'temperature'],
    [{ temperature: 'hot' }, '`temperature`'],
    [{ systemPrompt: 5 }, '`systemPrompt`'],
    [{ stopSequences: 'stop' }, '`stopSequences`'],
    [{ stopSequences: [5] }, '`stopSequences`'],
    [{ metadata: [] }, '`metadata`'],
    [{ metadata: { big: 5n } }, 'metadata.big'],
    [{ includeContext: 'all' }, '`includeContext`'],
    [{ toolChoice: { mode: 'any' } }, '`toolChoice`'],
    [{ modelPreferences: { costPriority: 2 } }, '`modelPreferences`'],
    [{ modelPreferences: { hints: ['small'] } }, '`modelPreferences`'],
    [{ modelPreferences: 'small' }, '`modelPreferences`'],
    [{ tools: [{ name: 'add' }] }, '`tools`'],
    [{ tools: [tool, tool] }, '`tools`'],
    [{ tools: [{ ...tool, name: '' }] }, '`tools`'],
    [{ tools: tool }, '`tools`'],
  ])('refuses %j', (change, place) => {
    const attempt = () => sample(withParams(change));
    expect(attempt).toThrow(InvalidQuestionError);
    expect(attempt).toThrow(place);
  });

  it.each(['', 'aaaa', 'aaa=', 'aa==', 'aaa', 'aa'])('takes %j for base64', async (data) => {
    const answer = { role: 'assistant', content: image(data, 'image/png'), model: 'm' };
    const { read } = await sample(plain).prepare(forms);
    expect(await read(answer)).toEqual({ ok: true, answer });
    expect(isOfficialAnswer('sampling/createMessage', answer)).toBe(true);
  });

  it.each(['a', 'aaaaa', 'aa=', 'aa=a', 'a===', 'aa-_', 'aa aa'])('does not take %j for base64', async (data) => {
    const answer = { role: 'assistant', content: image(data, 'image/png'), model: 'm' };
    const { read } = await sample(plain).prepare(forms);
    expect(await read(answer)).toMatchObject({ ok: false, kind: 'malformed' });
  });

  it.each([
    [{ role: 'assistant', content: text('Paris'), model: 'm' }],
    [{ role: 'assistant', content: [text('Paris'), use], model: 'm', stopReason: 'toolUse', _meta: { a: 1 } }],
    [{ role: 'user', content: [], model: '' }],
  ])('reads %j as it is', async (answer) => {
    const { read } = await sample(plain).prepare(forms);
    expect(await read(answer)).toEqual({ ok: true, answer });
    expect(isOfficialAnswer('sampling/createMessage', answer)).toBe(true);
  });

  it.each([
    [12345],
    [null],
    [[]],
    [{}],
    [{ role: 'assistant', content: text('a') }],
    [{ role: 'assistant', content: text('a'), model: 5 }],
    [{ role: 'assistant', content: text('a'), model: 'm', stopReason: 5 }],
    [{ role: 'assistant', content: text('a'), model: 'm', _meta: [] }],
    [{ role: 'system', content: text('a'), model: 'm' }],
    [{ role: 'assistant', content: 'a', model: 'm' }],
    [{ role: 'assistant', content: [null], model: 'm' }],
    [{ role: 'assistant', content: { type: 'video' }, model: 'm' }],
    [{ role: 'assistant', content: { ...use, input: [] }, model: 'm' }],
    [{ role: 'user', content: { ...result, content: 'x' }, model: 'm' }],
    [{ role: 'user', content: { ...result, content: [{ type: 'tool_use' }] }, model: 'm' }],
    [{ role: 'user', content: { ...result, content: [{ type: 'resource', resource: { uri: 'a' } }] }, model: 'm' }],
  ])('finds %j malformed', async (answer) => {
    const { read } = await sample(plain).prepare(forms);
    expect(isOfficialAnswer('sampling/createMessage', answer)).toBe(false);
    expect(await read(answer)).toEqual({
      ok: false,
      kind: 'malformed',
      message: "The client's response is not a result of sampling/createMessage",
    });
  });
});
