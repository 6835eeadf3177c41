import { setTimeout as pause } from 'node:timers/promises';

import { MalformedAnswerError } from '../errors/client.errors.js';
import { isFields, type Fields } from '../model/fields.js';
import type { WireQuestion } from '../model/questions.js';
import type { InputResponder } from './input.responder.js';

/** Maximum number of rounds of a request; a server with more is considered faulty. */
const MAX_ROUNDS = 10;

/** Delay before a request is repeated if the server asked no question. */
const IDLE_MS = 250;

/** Answers the questions of the server and repeats the request until there is a final result. */
export async function takeRounds(
  ask: (more: Fields) => Promise<Fields>,
  responder: InputResponder | undefined,
  signal: AbortSignal | undefined,
): Promise<Fields> {
  let more: Fields = {};
  for (let round = 0; round <= MAX_ROUNDS; round += 1) {
    const result = await ask(more);
    if (result['resultType'] !== 'input_required') return result;
    more = await answer(result, responder, signal);
  }
  throw new MalformedAnswerError(`it asked for input more than ${MAX_ROUNDS} times`);
}

async function answer(
  { inputRequests, requestState }: Fields,
  responder: InputResponder | undefined,
  signal: AbortSignal | undefined,
): Promise<Fields> {
  // The state is returned unchanged, including an empty one.
  const state = requestState === undefined ? {} : { requestState };
  if (inputRequests === undefined) {
    if (requestState === undefined)
      throw new MalformedAnswerError('it requires input but sent neither inputRequests nor requestState');
    await idle(signal);
    return state;
  }
  if (!isFields(inputRequests)) throw new MalformedAnswerError('inputRequests is not an object');
  const responses: [string, unknown][] = [];
  for (const [key, question] of Object.entries(inputRequests)) {
    responses.push([key, await respond(key, question, responder)]);
  }
  return { ...state, inputResponses: Object.fromEntries(responses) };
}

async function idle(signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause(IDLE_MS, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw signal?.aborted === true ? signal.reason : error;
  }
}

function respond(key: string, question: unknown, responder: InputResponder | undefined): unknown {
  if (!isFields(question) || typeof question['method'] !== 'string') {
    throw new MalformedAnswerError('a question in inputRequests has no method');
  }
  if (responder === undefined) throw new MalformedAnswerError('it asked a client that declared no capabilities');
  const params = isFields(question['params']) ? question['params'] : {};
  return responder.respond(key, { method: question['method'], params } as WireQuestion);
}
