import type { WireQuestion } from '../model/questions.js';
import type { ClientCapability } from './client-capabilities.js';
import type { FormCompiler } from './form.compiler.js';

/**
 * What came back for a question. Answers come from outside, so the message never repeats them.
 *
 * `malformed`: no answer to such a question. The client is broken and would send the same again, so it is an error.
 * `unfit`: a well-formed answer which the author's schema refuses. The user could not see every rule in the form, and
 * may know better the next time, so the question can be asked again.
 */
export type AnswerReading<A> =
  | { readonly ok: true; readonly answer: A }
  | { readonly ok: false; readonly kind: 'malformed'; readonly message: string }
  | {
      readonly ok: false;
      readonly kind: 'unfit';
      readonly message: string;
      /** Properties of the form that are at fault, as far as that can be told. */
      readonly fields: readonly string[];
    };

/** A question that is ready to travel, and knows how to read what comes back. */
export interface PreparedQuestion<A> {
  readonly wire: WireQuestion;
  readonly read: (answer: unknown) => AnswerReading<A> | Promise<AnswerReading<A>>;
}

/**
 * Something to ask the client; `elicit()`, `elicitUrl()`, `sample()` and `roots()` make them.
 *
 * @publicApi
 */
export abstract class Question<A> {
  /** What the client must have declared. */
  abstract readonly needs: readonly ClientCapability[];

  /**
   * Compiles what has to be compiled; a schema is compiled once.
   *
   * @throws InvalidQuestionError for a form that no client could show.
   */
  abstract prepare(forms: FormCompiler): PreparedQuestion<A> | Promise<PreparedQuestion<A>>;
}

/**
 * The answer that a question leads to.
 *
 * @publicApi
 */
export type AnswerOf<Q> = Q extends Question<infer A> ? A : never;
