import { InvalidQuestionError } from '../errors/invalid-question.error.js';
import { isFields } from '../model/fields.js';
import { NotJsonError, toJsonValue } from '../schema/json-value.js';
import { Question } from './question.js';

/**
 * What a handler returns to ask its client by hand.
 *
 * @publicApi
 */
export interface InputRequiredOptions {
  /** What is asked, by key. Left out, the client repeats the request as soon as it likes. */
  readonly questions?: Readonly<Record<string, Question<unknown>>>;
  /** Comes back as `ctx.requestState`. It travels with the client, sealed, so it has to be JSON, and small. */
  readonly state?: unknown;
}

const BRAND = Symbol.for('nestjs-mcp.input-required');

/**
 * The result of a round that is not the last one; `inputRequired()` makes it.
 *
 * @publicApi
 */
export class InputRequired {
  readonly [BRAND] = true;

  /** @internal */
  constructor(
    readonly questions: Readonly<Record<string, Question<unknown>>>,
    readonly state: unknown,
  ) {}

  /** Recognises those of other copies of this package too. */
  static is(value: unknown): value is InputRequired {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/**
 * Ends a round by hand: return it from a tool, prompt or resource. The answers of the client are in `ctx.inputResponses` of
 * the next round. `ctx.elicit()` and its like do the same with less to write.
 *
 * @throws InvalidQuestionError with neither questions nor state, or a state that is no JSON.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @publicApi
 */
export function inputRequired({ questions = {}, state }: InputRequiredOptions): InputRequired {
  if (!isFields(questions) || !Object.values(questions).every((question) => question instanceof Question)) {
    throw new InvalidQuestionError(
      'inputRequired()',
      '`questions` must be an object of questions. Make them with elicit(), elicitUrl(), sample() or roots().',
    );
  }
  if (Object.keys(questions).length === 0 && state === undefined) {
    throw new InvalidQuestionError('inputRequired()', 'it needs `questions`, `state` or both.');
  }
  return new InputRequired({ ...questions }, state === undefined ? undefined : writeState(state));
}

function writeState(state: unknown): unknown {
  try {
    return toJsonValue(state);
  } catch (cause) {
    if (!(cause instanceof NotJsonError)) throw cause;
    throw new InvalidQuestionError('inputRequired()', '`state` is no JSON. Keep plain data.', { cause });
  }
}
