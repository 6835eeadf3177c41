import { InvalidQuestionError } from '../errors/invalid-question.error.js';
import { isFields } from '../model/fields.js';
import { NotJsonError, toJsonValue } from '../schema/json-value.js';
import { Question } from './question.js';

/**
 * Options of `inputRequired()`, with which a handler controls its rounds itself.
 *
 * @publicApi
 */
export interface InputRequiredOptions {
  /** Questions by key. Without questions, the client repeats the request when it likes. */
  readonly questions?: Readonly<Record<string, Question<unknown>>>;
  /** Returned as `ctx.requestState` in the next round. The client stores it, sealed, so it must be JSON, and small. */
  readonly state?: unknown;
}

const BRAND = Symbol.for('nestjs-mcp.input-required');

/**
 * The result of a round that is not the last one; created by `inputRequired()`.
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

  /** Recognises instances of other copies of this package too. */
  static is(value: unknown): value is InputRequired {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/**
 * Ends a round explicitly when a tool, prompt or resource returns it. The answers of the client are in `ctx.inputResponses`
 * of the next round. `ctx.elicit()` and similar methods do the same with less code.
 *
 * @throws InvalidQuestionError without questions and state, or for a state that is not JSON.
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
    throw new InvalidQuestionError('inputRequired()', '`state` cannot be encoded as JSON. Keep plain data.', { cause });
  }
}
