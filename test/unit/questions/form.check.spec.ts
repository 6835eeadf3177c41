import { describe, expect, it } from '@jest/globals';
import { InvalidQuestionError } from '../../../lib/errors/invalid-question.error.js';
import { checkForm } from '../../../lib/questions/form.check.js';

const form = (field: unknown) => ({ type: 'object', properties: { field } });
const option = (value: string) => ({ const: value, title: value.toUpperCase() });

describe('checkForm', () => {
  it.each([
    [{ type: 'object', properties: {} }],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {}, required: [] }],
    [{ type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] }],
    [form({ type: 'string', title: 'A', description: 'B', minLength: 1, maxLength: 1, format: 'email', default: 'c' })],
    [form({ type: 'string', format: 'uri' })],
    [form({ type: 'string', format: 'date' })],
    [form({ type: 'string', format: 'date-time' })],
    [form({ type: 'number', minimum: -0.5, maximum: 0.5, default: 0 })],
    [form({ type: 'integer', minimum: 1, maximum: 1, default: 1 })],
    [form({ type: 'boolean', default: true })],
    [form({ type: 'string', enum: ['a', 'b'], default: 'a' })],
    [form({ type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] })],
    [form({ type: 'string', oneOf: [option('a'), option('b')], default: 'b' })],
    [form({ type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 0, maxItems: 1, default: ['a'] })],
    [form({ type: 'array', items: { anyOf: [option('a')] }, title: 'A' })],
  ])('takes %j', (schema) => {
    expect(() => checkForm(schema)).not.toThrow();
  });

  it.each<[schema: object, keyword: string]>([
    [{ properties: {} }, 'type'],
    [{ type: 'array', properties: {} }, 'type'],
    [{ type: 'object' }, 'properties'],
    [{ type: 'object', properties: [] }, 'properties'],
    [{ type: 'object', properties: {}, title: 'A' }, 'title'],
    [{ type: 'object', properties: {}, anyOf: [] }, 'anyOf'],
    [{ type: 'object', properties: {}, required: 'a' }, 'required'],
    [{ type: 'object', properties: {}, required: ['a'] }, 'required'],
    [{ type: 'object', properties: {}, required: ['toString'] }, 'required'],
    [{ type: 'object', properties: {}, required: [5] }, 'required'],
  ])('refuses the root of %j, and names the keyword', (schema, keyword) => {
    expect(() => checkForm(schema as never)).toThrow(InvalidQuestionError);
    expect(() => checkForm(schema as never)).toThrow(`The form: \`${keyword}\``);
  });

  it.each<[field: unknown, keyword: string]>([
    [{}, 'type'],
    [{ type: 'object', properties: {} }, 'type'],
    [{ type: 'null' }, 'type'],
    [{ type: ['string', 'null'] }, 'type'],
    [{ enum: ['a'] }, 'type'],
    [{ type: 'string', pattern: 'a' }, 'pattern'],
    [{ type: 'string', format: 'uuid' }, 'format'],
    [{ type: 'string', minLength: -1 }, 'minLength'],
    [{ type: 'string', minLength: 1.5 }, 'minLength'],
    [{ type: 'string', maxLength: '5' }, 'maxLength'],
    [{ type: 'string', minLength: 2, maxLength: 1 }, 'minLength'],
    [{ type: 'string', title: 5 }, 'title'],
    [{ type: 'string', description: null }, 'description'],
    [{ type: 'string', default: 5 }, 'default'],
    [{ type: 'string', enumNames: ['A'] }, 'enumNames'],
    [{ type: 'string', toString: 1 }, 'toString'],
    [{ type: 'string', minimum: 1 }, 'minimum'],
    [{ type: 'number', minimum: '1' }, 'minimum'],
    [{ type: 'number', minimum: 2, maximum: 1 }, 'minimum'],
    [{ type: 'number', multipleOf: 2 }, 'multipleOf'],
    [{ type: 'integer', exclusiveMinimum: 2 }, 'exclusiveMinimum'],
    [{ type: 'number', enum: [1, 2] }, 'enum'],
    [{ type: 'number', default: '1' }, 'default'],
    [{ type: 'boolean', default: 'true' }, 'default'],
    [{ type: 'boolean', const: true }, 'const'],
    [{ type: 'string', enum: [] }, 'enum'],
    [{ type: 'string', enum: ['a', 'a'] }, 'enum'],
    [{ type: 'string', enum: ['a', 1] }, 'enum'],
    [{ type: 'string', enum: 'a' }, 'enum'],
    [{ type: 'string', enum: ['a'], minLength: 1 }, 'minLength'],
    [{ type: 'string', enum: ['a', 'b'], enumNames: ['A'] }, 'enumNames'],
    [{ type: 'string', enum: ['a'], enumNames: [5] }, 'enumNames'],
    [{ type: 'string', oneOf: [] }, 'oneOf'],
    [{ type: 'string', oneOf: [{ const: 'a' }] }, 'oneOf'],
    [{ type: 'string', oneOf: [{ const: 1, title: 'A' }] }, 'oneOf'],
    [{ type: 'string', oneOf: [option('a'), option('a')] }, 'oneOf'],
    [{ type: 'string', oneOf: [{ ...option('a'), type: 'string' }] }, 'oneOf'],
    [{ type: 'string', oneOf: [option('a')], enum: ['a'] }, 'enum'],
    [{ type: 'string', anyOf: [option('a')] }, 'anyOf'],
    [{ type: 'array' }, 'items'],
    [{ type: 'array', minItems: 1 }, 'items'],
    [{ type: 'array', items: { type: 'string' } }, 'items'],
    [{ type: 'array', items: { enum: ['a'] } }, 'items'],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'a'] } }, 'items'],
    [{ type: 'array', items: { type: 'string', anyOf: [option('a')] } }, 'items'],
    [{ type: 'array', items: { anyOf: [] } }, 'items'],
    [{ type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 2, maxItems: 1 }, 'minItems'],
    [{ type: 'array', items: { type: 'string', enum: ['a'] }, uniqueItems: true }, 'uniqueItems'],
    [{ type: 'array', items: { type: 'string', enum: ['a'] }, default: 'a' }, 'default'],
  ])('refuses the field %j, and names it and the keyword', (field, keyword) => {
    expect(() => checkForm(form(field))).toThrow(InvalidQuestionError);
    expect(() => checkForm(form(field))).toThrow(`The form property "field": \`${keyword}\``);
  });

  it('refuses a field that is not a schema', () => {
    expect(() => checkForm(form(true))).toThrow('The form property "field": must be a schema');
  });
});
