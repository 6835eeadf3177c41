import { InvalidQuestionError } from '../errors/invalid-question.error.js';
import type { ElicitAnswer, FormValue, ElicitUrlParams, UrlAnswer } from '../model/questions.js';
import { isSchemaSource } from '../schema/schema.resolver.js';
import type { DtoClass, SchemaSource, ToolArgs } from '../schema/schema-source.js';
import { malformed, readElicitShape } from './answer-shape.js';
import type { FormCompiler, CompiledForm, FormVerdict } from './form.compiler.js';
import { type AnswerReading, type PreparedQuestion, Question } from './question.js';

/**
 * A form for the user.
 *
 * @publicApi
 */
export interface ElicitParams<S extends SchemaSource = SchemaSource> {
  /** Explains to the user what is asked, and why. Never ask for passwords or other secrets in a form. */
  readonly message: string;
  /**
   * A DTO class, a Standard Schema such as Zod, or a form written as JSON Schema. Declare it outside of the handler, since
   * each schema object is compiled once.
   *
   * Forms are flat: texts, numbers, booleans, and choices. Rules of a class or library that a form cannot show, such as a
   * pattern, are not sent, but the answer is validated against them. A form written as JSON Schema is sent unchanged.
   */
  readonly schema: S;
}

/**
 * What a handler receives for an accepted form: validated, with defaults and transforms applied.
 *
 * @publicApi
 */
export type FormContent<S> = S extends { readonly '~standard': unknown } | DtoClass
  ? ToolArgs<S>
  : Record<string, FormValue>;

/**
 * Asks the user to fill in a form.
 *
 * @example
 * ```ts
 * elicit({ message: 'Who are you?', schema: z.object({ name: z.string().min(1) }) })
 * ```
 * @throws InvalidQuestionError without a message or a schema. An invalid form is refused when it is asked.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 * @publicApi
 */
export function elicit<S extends SchemaSource>(params: ElicitParams<S>): Question<ElicitAnswer<FormContent<S>>> {
  return new ElicitQuestion<FormContent<S>>(params);
}

class ElicitQuestion<T> extends Question<ElicitAnswer<T>> {
  readonly needs = ['elicitation.form'] as const;
  private readonly message: string;
  private readonly schema: SchemaSource;

  constructor({ message, schema }: ElicitParams) {
    super();
    this.message = requireMessage('elicit()', message);
    if (!isSchemaSource(schema)) {
      throw new InvalidQuestionError(
        'elicit()',
        '`schema` is neither a DTO class, nor a Standard Schema (Zod 4, Valibot with `toStandardJsonSchema()`, ArkType), nor a form as JSON Schema. Pass one of these.',
      );
    }
    this.schema = schema;
  }

  async prepare(forms: FormCompiler): Promise<PreparedQuestion<ElicitAnswer<T>>> {
    const form = await forms.compile(this.schema);
    return {
      wire: { method: 'elicitation/create', params: { message: this.message, requestedSchema: form.json } },
      read: (answer) => readFormAnswer<T>(form, answer),
    };
  }
}

function readFormAnswer<T>(
  form: CompiledForm,
  answer: unknown,
): AnswerReading<ElicitAnswer<T>> | Promise<AnswerReading<ElicitAnswer<T>>> {
  const shape = readElicitShape(answer);
  if (shape === undefined) return malformed('elicitation/create');
  const { action, content } = shape;
  if (action !== 'accept') return { ok: true, answer: { action } };
  const conclude = (verdict: FormVerdict): AnswerReading<ElicitAnswer<T>> =>
    verdict.ok
      ? { ok: true, answer: { action, content: verdict.value as T } }
      : { ok: false, kind: 'unfit', message: UNFIT, fields: verdict.fields };
  const verdict = form.judge(content);
  return verdict instanceof Promise ? verdict.then(conclude) : conclude(verdict);
}

const UNFIT = 'The content of the form does not fit its schema';

const MAX_URL_CHARACTERS = 2_048;

/** Absolute, and only with characters that RFC 3986 allows, since parsers correct other characters in different ways. */
const ABSOLUTE = /^https?:\/\/([^/?#]+)/i;
const CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

/**
 * Asks the user to open a page, for data that must not pass through the client: sign-in, payment, secrets.
 *
 * `accept` is only consent to open the page. Determine the outcome on your own server, and check there that the person who
 * opens the page is the user who was asked.
 *
 * @throws InvalidQuestionError for a URL that clients would refuse or parse in different ways.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 * @publicApi
 */
export function elicitUrl(params: ElicitUrlParams): Question<UrlAnswer> {
  return new ElicitUrlQuestion(params);
}

class ElicitUrlQuestion extends Question<UrlAnswer> {
  readonly needs = ['elicitation.url'] as const;
  private readonly prepared: PreparedQuestion<UrlAnswer>;

  constructor({ message, url }: ElicitUrlParams) {
    super();
    const fault = findUrlFault(url);
    if (fault !== undefined) throw new InvalidQuestionError('elicitUrl()', `\`url\` ${fault}`);
    const params = { mode: 'url', message: requireMessage('elicitUrl()', message), url };
    this.prepared = { wire: { method: 'elicitation/create', params }, read: readUrlAnswer };
  }

  prepare(): PreparedQuestion<UrlAnswer> {
    return this.prepared;
  }
}

function readUrlAnswer(answer: unknown): AnswerReading<UrlAnswer> {
  const shape = readElicitShape(answer);
  return shape === undefined ? malformed('elicitation/create') : { ok: true, answer: { action: shape.action } };
}

/** Finds the reason why a URL cannot be shown to a user, with the fix but without the URL, which may be secret. */
function findUrlFault(url: unknown): string | undefined {
  if (typeof url !== 'string') return 'must be a string. Pass `url.href` of a URL object.';
  if (url.length > MAX_URL_CHARACTERS) {
    return `is longer than ${MAX_URL_CHARACTERS} characters. Keep the data, and put its key into the URL.`;
  }
  const authority = ABSOLUTE.exec(url)?.[1];
  if (authority === undefined) return 'must begin with https:// (or http:// for development) and name a host.';
  if (!CHARACTERS.test(url)) {
    return 'holds spaces, bad escapes or other characters that a URL cannot hold. Pass `new URL(…).href`, and escape what you insert with `encodeURIComponent()`.';
  }
  if (authority.includes('@')) return 'must hold no user name or password. Leave out what stands before the @.';
  return URL.canParse(url) ? undefined : 'has no valid host or port. Correct it.';
}

/** Checks the message that is shown to the user. */
function requireMessage(question: string, message: unknown): string {
  if (typeof message === 'string' && message.trim() !== '') return message;
  throw new InvalidQuestionError(question, '`message` must be a text that tells the user what is asked, and why.');
}
