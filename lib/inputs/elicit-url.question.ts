import { InvalidQuestionError } from '../errors/invalid-question.error.js';
import type { ElicitUrlParams, UrlAnswer } from '../model/questions.js';
import { malformed, readElicitShape } from './answer-shape.js';
import { requireMessage } from './message.check.js';
import { type AnswerReading, type PreparedQuestion, Question } from './question.js';

const MAX_URL_CHARACTERS = 2_048;

/** Absolute, and of nothing but what RFC 3986 allows: parsers repair everything else, each in its own way. */
const ABSOLUTE = /^https?:\/\/([^/?#]+)/i;
const CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

/**
 * Asks the user to open a page, for what must not pass through the client: sign-in, payment, secrets.
 *
 * `accept` is consent and no more: learn from your own records what happened on the page, and check there that whoever
 * opens it is the user who was asked.
 *
 * @throws InvalidQuestionError for a URL that clients would refuse or read in different ways.
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

/** Why a URL cannot be shown to a user, and the cure; never the URL itself, which may be secret. */
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
