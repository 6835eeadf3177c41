/**
 * Read by the compiler alone: `npm run typecheck` fails when a line that should compile does not,
 * and when a line marked as an error compiles.
 */
import { z } from 'zod';
import type { McpContext } from '../../lib/decorators/mcp-context.js';
import { hasCapability } from '../../lib/questions/client-capabilities.js';
import { elicit, elicitUrl } from '../../lib/questions/elicit.question.js';
import type { AnswerOf, Question } from '../../lib/questions/question.js';
import { roots } from '../../lib/questions/roots.question.js';
import { sample } from '../../lib/questions/sample.question.js';
import { image, text, user } from '../../lib/model/content.builders.js';
import type { ElicitAnswer, UrlAnswer, Root, SampleAnswer } from '../../lib/model/questions.js';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

function is<A, B>(same: Same<A, B>): void {
  void same;
}

const message = 'Who are you?';
const person = z.object({ name: z.string(), age: z.string().transform(Number), mood: z.string().default('good') });

class PersonForm {
  name!: string;
  age?: number;
}

const questions = {
  zod: elicit({ message, schema: person }),
  dto: elicit({ message, schema: PersonForm }),
  written: elicit({ message, schema: { type: 'object', properties: { name: { type: 'string' } } } }),
  page: elicitUrl({ message, url: 'https://example.com' }),
  model: sample({ messages: [user('Hello'), { role: 'user', content: [text('a'), image('', 'b')] }], maxTokens: 5 }),
  roots: roots(),
};

type Answers = { [K in keyof typeof questions]: AnswerOf<(typeof questions)[K]> };

is<Answers['zod'], ElicitAnswer<{ name: string; age: number; mood: string }>>(true);
is<Answers['dto'], ElicitAnswer<PersonForm>>(true);
is<Answers['written'], ElicitAnswer<Record<string, string | number | boolean | string[]>>>(true);
is<Answers['page'], UrlAnswer>(true);
is<Answers['model'], SampleAnswer>(true);
is<Answers['roots'], readonly Root[]>(true);

export function accepted(answers: Answers): unknown[] {
  const { zod, dto, written, page, model } = answers;
  if (zod.action !== 'accept' || dto.action !== 'accept' || written.action !== 'accept') return [zod.action];
  const blocks = Array.isArray(model.content) ? model.content.length : 1;
  return [zod.content.age.toFixed(), dto.content.name.trim(), written.content['name'], page.action, blocks];
}

export const anything: readonly Question<unknown>[] = Object.values(questions);

export function refused(answers: Answers): unknown[] {
  return [
    // @ts-expect-error only an accepted form has content
    answers.zod.content,
    // @ts-expect-error the page says nothing
    answers.page.content,
    // @ts-expect-error the schema makes numbers
    answers.zod.action === 'accept' ? answers.zod.content.age.trim() : '',
    // @ts-expect-error a schema is no string
    elicit({ message, schema: 'person' }),
    // @ts-expect-error what is asked, and why?
    elicit({ schema: person }),
    // @ts-expect-error an URL object is not sent
    elicitUrl({ message, url: new URL('https://example.com') }),
    // @ts-expect-error how long may the answer be?
    sample({ messages: [user('Hello')] }),
    // @ts-expect-error there is no such role
    sample({ messages: [{ role: 'system', content: text('Hello') }], maxTokens: 5 }),
    // @ts-expect-error there is no such capability
    hasCapability({}, 'elicitation'),
  ];
}

/** What a handler gets of its context. */
async function ask(context: McpContext): Promise<void> {
  const { name, places } = await context.ask({ name: elicit({ message, schema: person }), places: roots() });
  is<typeof name, ElicitAnswer<{ name: string; age: number; mood: string }>>(true);
  is<typeof places, readonly Root[]>(true);
  const form = await context.elicit('form', { message, schema: PersonForm });
  is<typeof form, ElicitAnswer<PersonForm>>(true);
  const once = await context.once('id', () => 5);
  is<typeof once, number>(true);
  // @ts-expect-error -- no such capability
  context.client.can('elicitation');
  // @ts-expect-error -- not a question
  await context.ask({ name: 'Ada' });
  // @ts-expect-error -- only an accepted form has content
  void form.content;
}
void ask;
