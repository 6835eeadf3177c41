import { describe, expect, it } from '@jest/globals';

import { HandlerResponder } from '../../../lib/client/input.responder.js';
import { takeRounds } from '../../../lib/client/round.trips.js';

type Fields = Readonly<Record<string, unknown>>;

const form = { method: 'elicitation/create', params: { message: 'm', requestedSchema: { type: 'object' } } };
const asking = (state?: string): Fields => ({
  resultType: 'input_required',
  inputRequests: { a: form },
  ...(state === undefined ? {} : { requestState: state }),
});
const DONE = { resultType: 'complete', content: [] };

const responder = new HandlerResponder({ elicit: ({ key }) => ({ action: 'accept', content: { key } }) });

/** A server that sends these answers in turn, and then repeats the last answer. */
function server(...answers: readonly Fields[]): {
  readonly ask: (more: Fields) => Promise<Fields>;
  readonly heard: Fields[];
} {
  const heard: Fields[] = [];
  const ask = async (more: Fields): Promise<Fields> => {
    heard.push(more);
    return answers[Math.min(heard.length, answers.length) - 1] ?? DONE;
  };
  return { ask, heard };
}

describe('round trips of the client', () => {
  it('send the answers, and return the state unchanged', async () => {
    const { ask, heard } = server(asking(), asking(''), asking('s'), DONE);
    expect(await takeRounds(ask, responder, undefined)).toBe(DONE);
    const inputResponses = { a: { action: 'accept', content: { key: 'a' } } };
    expect(heard).toEqual([
      {},
      { inputResponses },
      { inputResponses, requestState: '' },
      { inputResponses, requestState: 's' },
    ]);
  });

  it('end with an error when the server asks for input more than 10 times', async () => {
    const { ask, heard } = server(asking('s'));
    await expect(takeRounds(ask, responder, undefined)).rejects.toThrow('it asked for input more than 10 times');
    expect(heard).toHaveLength(11);
  });

  it('continue with the state alone when no input is requested, unless the call is cancelled', async () => {
    const { ask, heard } = server({ resultType: 'input_required', requestState: 's' }, DONE);
    expect(await takeRounds(ask, undefined, undefined)).toBe(DONE);
    expect(heard).toEqual([{}, { requestState: 's' }]);
    const cancelled = AbortSignal.abort(new Error('enough'));
    await expect(
      takeRounds(server({ resultType: 'input_required', requestState: 's' }).ask, undefined, cancelled),
    ).rejects.toThrow('enough');
  });

  it.each<[string, Fields, string]>([
    ['sends neither input requests nor a state', { resultType: 'input_required' }, 'requires input'],
    ['sends the input requests as a list', { resultType: 'input_required', inputRequests: [] }, 'not an object'],
    [
      'sends an input request without a method',
      { resultType: 'input_required', inputRequests: { a: {} } },
      'no method',
    ],
    [
      'sends an input request with an unknown method',
      { resultType: 'input_required', inputRequests: { a: { method: 'x/y' } } },
      'asked for x/y',
    ],
    [
      'requests input that the client did not declare',
      { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } },
      'asked for roots/list',
    ],
  ])('end with an error when a server %s', async (_what, answer, words) => {
    await expect(takeRounds(server(answer).ask, responder, undefined)).rejects.toThrow(words);
  });

  it('end with an error when the client declared no capabilities', async () => {
    await expect(takeRounds(server(asking()).ask, undefined, undefined)).rejects.toThrow('declared no capabilities');
  });
});

describe('handlers of the client', () => {
  it('declare only the capabilities that they implement', () => {
    const roots = () => [];
    const sample = () => ({ role: 'assistant' as const, content: { type: 'text' as const, text: '' }, model: '' });
    const elicitUrl = () => ({ action: 'cancel' as const });
    expect(new HandlerResponder({}).capabilities).toEqual({});
    expect(responder.capabilities).toEqual({ elicitation: { form: {} } });
    expect(new HandlerResponder({ elicitUrl, roots, sample }).capabilities).toEqual({
      elicitation: { url: {} },
      sampling: { tools: {}, context: {} },
      roots: {},
    });
  });
});
