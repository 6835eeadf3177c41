import type { WireQuestion } from '../model/questions.js';
import type { ClientCapability } from './client-capabilities.js';
import type { FormCompiler } from './form.compiler.js';

/**
 * The result of reading an answer. Answers are untrusted, so the message never repeats them.
 *
 * `malformed`: the answer violates the protocol. The client is faulty and would send the same again, so it is an error.
 * `unfit`: a well-formed answer that the author's schema refuses. The form could not show every rule to the user, so the
 * question can be asked again.
 */
export type AnswerReading<A> =
  | { readonly ok: true; readonly answer: A }
  | { readonly ok: false; readonly kind: 'malformed'; readonly message: string }
  | {
      readonly ok: false;
      readonly kind: 'unfit';
      readonly message: string;
      /** Invalid properties of the form, if they are known. */
      readonly fields: readonly string[];
    };

/** A question that can be sent, with the function that reads its answer. */
export interface PreparedQuestion<A> {
  readonly wire: WireQuestion;
  readonly read: (answer: unknown) => AnswerReading<A> | Promise<AnswerReading<A>>;
}

/**
 * A question to the client; created by `elicit()`, `elicitUrl()`, `sample()` and `roots()`.
 *
 * @publicApi
 */
export abstract class Question<A> {
  /** Capabilities that the client must have declared. */
  abstract readonly needs: readonly ClientCapability[];

  /**
   * Compiles the question; each schema is compiled once.
   *
   * @throws InvalidQuestionError for an invalid form.
   */
  abstract prepare(forms: FormCompiler): PreparedQuestion<A> | Promise<PreparedQuestion<A>>;
}

/**
 * The type of the answer to a question.
 *
 * @publicApi
 */
export type AnswerOf<Q> = Q extends Question<infer A> ? A : never;
