import { InvalidQuestionError } from '../errors/invalid-question.error.js';
import type { ElicitAnswer, FormValue } from '../model/questions.js';
import { isSchemaSource } from '../schema/schema.resolver.js';
import type { DtoClass, SchemaSource, ToolArgs } from '../schema/schema-source.js';
import { malformed, readElicitShape } from './answer-shape.js';
import type { FormCompiler } from './form/form.compiler.js';
import type { CompiledForm, FormVerdict } from './form/compiled-form.js';
import { requireMessage } from './message.check.js';
import { type AnswerReading, type PreparedQuestion, Question } from './question.js';

/**
 * A form for the user.
 *
 * @publicApi
 */
export interface ElicitParams<S extends SchemaSource = SchemaSource> {
  /** Tells the user what is asked, and why. Never ask for passwords or other secrets in a form. */
  readonly message: string;
  /**
   * A DTO class, a Standard Schema such as Zod, or a form written as JSON Schema. Declare it outside of the handler: a
   * schema is compiled once for as long as it lives.
   *
   * Forms are flat: texts, numbers, yes or no, and choices. Rules of a class or of a library that a form cannot show,
   * such as a pattern, are not shown and still hold for the answer. A form written as JSON Schema goes out as it is.
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
 * @throws InvalidQuestionError without a message or a schema. A form that no client could show is refused when it is asked.
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
