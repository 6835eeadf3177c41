import { isFields } from '../model/fields.js';
import type { Root } from '../model/questions.js';
import { malformed, ownMember } from './answer-shape.js';
import { type AnswerReading, type PreparedQuestion, Question } from './question.js';

/**
 * Asks for the directories and files that the client allows servers to work on.
 *
 * Roots are untrusted and grant no access: check every path against the directories that your server may use.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/roots
 * @publicApi
 */
export function roots(): Question<readonly Root[]> {
  return QUESTION;
}

class RootsQuestion extends Question<readonly Root[]> {
  readonly needs = ['roots'] as const;
  private readonly prepared: PreparedQuestion<readonly Root[]> = {
    wire: { method: 'roots/list', params: {} },
    read: readRoots,
  };

  prepare(): PreparedQuestion<readonly Root[]> {
    return this.prepared;
  }
}

const QUESTION = new RootsQuestion();

function readRoots(answer: unknown): AnswerReading<readonly Root[]> {
  const list = ownMember(answer, 'roots');
  return Array.isArray(list) && list.every(isRoot) ? { ok: true, answer: list } : malformed('roots/list');
}

function isRoot(value: unknown): value is Root {
  const name = ownMember(value, 'name');
  const meta = ownMember(value, '_meta');
  return (
    isFileUri(ownMember(value, 'uri')) &&
    (name === undefined || typeof name === 'string') &&
    (meta === undefined || isFields(meta))
  );
}

/** Refuses control characters, since parsers drop them, which would change the path. */
function isFileUri(uri: unknown): boolean {
  return typeof uri === 'string' && uri.startsWith('file://') && !/\p{Cc}/u.test(uri) && URL.canParse(uri);
}
