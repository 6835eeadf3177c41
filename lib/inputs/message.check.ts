import { InvalidQuestionError } from '../errors/invalid-question.error.js';

/** The words that a user is asked with. */
export function requireMessage(question: string, message: unknown): string {
  if (typeof message === 'string' && message.trim() !== '') return message;
  throw new InvalidQuestionError(question, '`message` must be a text that tells the user what is asked, and why.');
}
