import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { JsonSchema } from '../../../lib/model/json-schema.js';

/** A field that a form may have, and what a user may put into it. */
interface Field {
  readonly schema: JsonSchema;
  readonly values: Arbitrary<unknown>;
}

/** A form that the protocol allows, and answers to it. */
export interface LegalForm {
  readonly schema: JsonSchema;
  readonly contents: Arbitrary<Record<string, unknown>>;
}

const words = fc.uniqueArray(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 4 });
const notes = fc.record({ title: fc.string(), description: fc.string() }, { requiredKeys: [] });

const FORMATS = {
  email: ['ada@example.com', 'a.b+c@example.org'],
  uri: ['https://example.com/a?b#c', 'urn:isbn:0451450523'],
  date: ['2026-07-28', '2024-02-29'],
  'date-time': ['2026-07-28T10:00:00Z', '2026-07-28T10:00:00.5+02:00'],
} as const;

/** With or without a default, which is one of the values that the field takes. */
function withDefault({ schema, values }: Field): Arbitrary<Field> {
  return fc
    .option(values, { nil: undefined })
    .map((told) => (told === undefined ? { schema, values } : { schema: { ...schema, default: told }, values }));
}

const text = fc.tuple(fc.nat(3), fc.nat(3), notes).map(([minLength, more, noted]): Field => {
  const maxLength = minLength + more;
  return {
    schema: { type: 'string', ...noted, minLength, maxLength },
    // Characters outside of the basic plane have a length of two.
    values: fc.string({ unit: fc.constantFrom('a', 'é', '😀'), minLength, maxLength }),
  };
});
const formatted = fc
  .constantFrom(...(Object.keys(FORMATS) as (keyof typeof FORMATS)[]))
  .map((format): Field => ({ schema: { type: 'string', format }, values: fc.constantFrom(...FORMATS[format]) }));
const number = fc
  .tuple(fc.constantFrom('number', 'integer'), fc.integer({ min: -9, max: 9 }), fc.nat(9), notes)
  .map(([type, minimum, more, noted]): Field => {
    const maximum = minimum + more;
    const whole = fc.integer({ min: minimum, max: maximum });
    const broken = fc.double({ min: minimum, max: maximum, noNaN: true });
    return { schema: { type, ...noted, minimum, maximum }, values: type === 'integer' ? whole : broken };
  });
const yesOrNo = notes.map((noted): Field => ({ schema: { type: 'boolean', ...noted }, values: fc.boolean() }));
const choice = fc
  .tuple(words, fc.constantFrom('plain', 'named', 'titled'), notes)
  .map(([values, notation, noted]): Field => {
    const options = values.map((value) => ({ const: value, title: `The ${value}` }));
    const keywords = {
      plain: { enum: values },
      named: { enum: values, enumNames: options.map(({ title }) => title) },
      titled: { oneOf: options },
    }[notation];
    return { schema: { type: 'string', ...noted, ...keywords }, values: fc.constantFrom(...values) };
  });
const choices = fc.tuple(words, fc.boolean(), fc.nat(2), fc.nat(2)).map(([values, titled, minItems, more]): Field => {
  const maxItems = minItems + more;
  const items = titled
    ? { anyOf: values.map((value) => ({ const: value, title: value })) }
    : { type: 'string', enum: values };
  return {
    schema: { type: 'array', items, minItems, maxItems },
    values: fc.array(fc.constantFrom(...values), { minLength: minItems, maxLength: maxItems }),
  };
});

const field = fc.oneof(text, formatted, number, yesOrNo, choice, choices).chain(withDefault);
const name = fc.oneof(fc.constantFrom('a', 'b c', 'toString', 'd/e~f', 'constructor'), fc.string({ maxLength: 5 }));

/** Any form that the protocol allows. */
export const legalForm: Arbitrary<LegalForm> = fc
  .uniqueArray(
    fc.tuple(
      name.filter((drawn) => drawn !== '__proto__'),
      field,
      fc.boolean(),
    ),
    { maxLength: 5, selector: ([drawn]) => drawn },
  )
  .map((fields): LegalForm => {
    const required = fields.filter(([, , needed]) => needed).map(([drawn]) => drawn);
    return {
      schema: {
        type: 'object',
        properties: Object.fromEntries(fields.map(([drawn, { schema }]) => [drawn, schema])),
        required,
      },
      contents: fc.record(Object.fromEntries(fields.map(([drawn, { values }]) => [drawn, values])), {
        requiredKeys: required,
      }),
    };
  });
