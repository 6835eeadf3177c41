import { InvalidQuestionError } from '../errors/invalid-question.error.js';
import { isFields } from '../model/fields.js';
import type { JsonSchema } from '../model/json-schema.js';
import { findGrammar, GRAMMARS, type KeywordRule } from './form.grammar.js';

const ROOT_KEYWORDS = new Set(['type', 'properties', 'required', '$schema']);

const BOUNDS = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
] as const;

/**
 * Refuses a form that the protocol does not allow. Defaults are checked by the compiler.
 *
 * @throws InvalidQuestionError with the property, the keyword and the fix.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
export function checkForm(form: JsonSchema): void {
  if (form['type'] !== 'object') refuseRoot('type', 'must be "object". Correct it.');
  for (const keyword of Object.keys(form)) {
    if (!ROOT_KEYWORDS.has(keyword)) {
      refuseRoot(keyword, 'has no place in a form. Leave it out, or check it after the answer.');
    }
  }
  const { properties, required = [] } = form;
  if (!isFields(properties)) {
    return refuseRoot(
      'properties',
      'must hold the fields. Add one for each thing to ask, or {} to ask for a yes alone.',
    );
  }
  for (const [name, property] of Object.entries(properties)) checkProperty(name, property);
  checkRequired(required, properties);
}

/** @throws InvalidQuestionError always. */
export function refuseProperty(name: string, keyword: string, reason: string): never {
  throw new InvalidQuestionError(`The form property ${JSON.stringify(name)}`, `\`${keyword}\` ${reason}`);
}

/** @throws InvalidQuestionError always. */
export function refuseRoot(keyword: string, reason: string): never {
  throw new InvalidQuestionError('The form', `\`${keyword}\` ${reason}`);
}

function checkRequired(required: unknown, properties: Readonly<Record<string, unknown>>): void {
  if (!Array.isArray(required)) refuseRoot('required', 'must be a list of property names. Correct it.');
  for (const name of required as unknown[]) {
    if (typeof name !== 'string' || !Object.hasOwn(properties, name)) {
      refuseRoot(
        'required',
        `names ${JSON.stringify(name)}, which is not a property. Add the property, or remove the name.`,
      );
    }
  }
}

function checkProperty(name: string, property: unknown): void {
  if (!isFields(property)) {
    throw new InvalidQuestionError(`The form property ${JSON.stringify(name)}`, 'must be a schema. Correct it.');
  }
  const grammar = findGrammar(property);
  if (grammar === undefined) {
    refuseProperty(
      name,
      'type',
      `is ${JSON.stringify(property['type']) ?? 'missing'}. A form can ask for "string", "number", "integer" and "boolean", and for an "array" of choices. Ask for nested values in a flat form or one by one.`,
    );
  }
  for (const [keyword, value] of Object.entries(property)) {
    if (keyword === 'type') continue;
    const rule: KeywordRule | undefined = Object.hasOwn(GRAMMARS[grammar], keyword)
      ? GRAMMARS[grammar][keyword]
      : undefined;
    if (rule === undefined) {
      refuseProperty(
        name,
        keyword,
        `cannot be shown for a ${grammar}. Leave it out and check the answer, or declare the rule with a DTO class or a schema library, which enforce it without showing it.`,
      );
    }
    const expected = rule(value, property);
    if (expected !== undefined) refuseProperty(name, keyword, `must be ${expected}. Correct it.`);
  }
  if (property['type'] === 'array' && !Object.hasOwn(property, 'items')) {
    refuseProperty(name, 'items', 'is missing. Add the choices: {type: "string", enum: [...]}.');
  }
  checkBounds(name, property);
}

function checkBounds(name: string, property: JsonSchema): void {
  for (const [low, high] of BOUNDS) {
    if (Number(property[low]) > Number(property[high])) refuseProperty(name, low, `is above \`${high}\`. Swap them.`);
  }
}
