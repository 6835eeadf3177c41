import { InvalidQuestionError } from '../errors/invalid-question.error.js';
import { isFields } from '../model/fields.js';
import type { SampleAnswer, SampleMessage, SampleParams, WireQuestion } from '../model/questions.js';
import { freezeJson, NotJsonError, toJsonValue } from '../schema/json-value.js';
import { writePath } from '../schema/schema-issues.js';
import { malformed, ownMember } from './answer-shape.js';
import type { ClientCapability } from './client-capabilities.js';
import { type AnswerReading, type PreparedQuestion, Question } from './question.js';
import { blocksOf, findMessageFault, findSampleFault } from './sampling.check.js';

/**
 * Asks the client's model. Deprecated by the protocol: new servers should call a model directly.
 *
 * @throws InvalidQuestionError for messages or parameters that the protocol does not allow.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
 * @publicApi
 */
export function sample(params: SampleParams): Question<SampleAnswer> {
  return new SampleQuestion(params);
}

class SampleQuestion extends Question<SampleAnswer> {
  readonly needs: readonly ClientCapability[];
  private readonly prepared: PreparedQuestion<SampleAnswer>;

  constructor(params: SampleParams) {
    super();
    const written = freezeJson(writeParams(params));
    const fault = findSampleFault(written);
    if (fault !== undefined) throw new InvalidQuestionError('sample()', `${fault}. Correct it.`);
    this.needs = listNeeds(written);
    const wire: WireQuestion = { method: 'sampling/createMessage', params: written };
    this.prepared = { wire, read: readSampleAnswer };
  }

  prepare(): PreparedQuestion<SampleAnswer> {
    return this.prepared;
  }
}

function writeParams(params: SampleParams): Record<string, unknown> {
  try {
    const written = toJsonValue(params);
    return isFields(written) ? written : {};
  } catch (cause) {
    if (!(cause instanceof NotJsonError)) throw cause;
    throw new InvalidQuestionError('sample()', `\`${writePath(cause.path)}\` ${cause.message}. Correct it.`, { cause });
  }
}

/** Messages with calls and results of tools need the capability too, since other clients do not know these blocks. */
function listNeeds(params: Readonly<Record<string, unknown>>): ClientCapability[] {
  const { messages, tools, toolChoice, includeContext = 'none' } = params;
  const callsTools = (messages as readonly SampleMessage[])
    .flatMap(blocksOf)
    .some(({ type }) => type === 'tool_use' || type === 'tool_result');
  return [
    'sampling',
    ...(tools !== undefined || toolChoice !== undefined || callsTools ? (['sampling.tools'] as const) : []),
    ...(includeContext === 'none' ? [] : (['sampling.context'] as const)),
  ];
}

function readSampleAnswer(answer: unknown): AnswerReading<SampleAnswer> {
  const stopReason = ownMember(answer, 'stopReason');
  const meta = ownMember(answer, '_meta');
  const sound =
    findMessageFault(answer, '') === undefined &&
    typeof ownMember(answer, 'model') === 'string' &&
    (stopReason === undefined || typeof stopReason === 'string') &&
    (meta === undefined || isFields(meta));
  return sound ? { ok: true, answer: answer as SampleAnswer } : malformed('sampling/createMessage');
}
