import { describe, expect, it, jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats, { type FormatsPlugin } from 'ajv-formats';
import * as fc from 'fast-check';
import { isFields } from '../../../../lib/model/fields.js';
import { isCertainToCompile } from '../../../../lib/schema/json-schema/json-schema.certainty.js';
import { JsonSchemaCompiler } from '../../../../lib/schema/json-schema/json-schema.compiler.js';
import { createPattern } from '../../../../lib/schema/json-schema/json-schema.keywords.js';

const KEYWORDS = [
  ...['type', 'properties', 'required', 'additionalProperties', 'propertyNames', 'items', 'enum', 'const', 'pattern'],
  ...['format', 'minimum', 'exclusiveMaximum', 'minLength', 'maxItems', 'minProperties', 'uniqueItems', 'anyOf'],
  ...['oneOf', 'allOf', 'title', '$comment', 'default', 'examples', 'readOnly', 'deprecated', 'not', '$ref', '$id'],
];

const scalar = fc.oneof(
  fc.constantFrom(
    'string',
    'object',
    'int64',
    'email',
    '(',
    '[a-z-[x]]',
    'int32',
    '#/nowhere',
    '__proto__',
    '',
    true,
    false,
  ),
  fc.constantFrom(null, -1, 0, 2, 1.5, Number.MAX_SAFE_INTEGER),
);

/** Schemas that are right in most places and wrong in some. */
const { schema } = fc.letrec<{ schema: unknown; value: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown[]>(true, { type: 'string' }, {}),
    fc.dictionary(fc.constantFrom(...KEYWORDS), tie('value'), { maxKeys: 3 }),
  ),
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    tie('schema'),
    fc.array(tie('schema'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), tie('schema'), { maxKeys: 2 }),
  ),
}));

describe('a schema that is certain to compile', () => {
  it('is taken by ajv and by the meta-schema', () => {
    const regExp = Object.assign(createPattern, { code: 'createPattern' });
    const ajv = new Ajv2020({ strict: false, logger: false, code: { regExp } });
    (addFormats as unknown as FormatsPlugin)(ajv);
    const seen = { certain: 0, wrong: 0 };
    fc.assert(
      fc.property(schema, (drawn) => {
        if (!isFields(drawn)) return;
        const compile = () => {
          ajv.compile(drawn);
          ajv.removeSchema(drawn);
        };
        if (isCertainToCompile(drawn)) {
          seen.certain += 1;
          compile();
          return;
        }
        try {
          compile();
        } catch {
          seen.wrong += 1;
        }
      }),
      { numRuns: 4_000 },
    );
    expect(seen.certain).toBeGreaterThan(300);
    expect(seen.wrong).toBeGreaterThan(300);
  });

  it.each([
    [{ type: 'object', properties: { text: { type: 'string', minLength: 1 } }, required: ['text'] }, true],
    [{ anyOf: [{ type: 'array', items: { enum: ['a', 1] } }, { type: 'null' }] }, true],
    [{ pattern: '[a-z-[x]]' }, true],
    [{ pattern: '(' }, false],
    [{ type: 'int64' }, false],
    [{ type: [] }, false],
    [{ enum: [] }, false],
    [{ required: ['a', 'a'] }, false],
    [{ minLength: -1 }, false],
    [{ properties: { deep: { items: { maximum: '3' } } } }, false],
    [{ $ref: '#' }, false],
    [{ 'x-unknown': 1 }, false],
  ])('%j: %p', (drawn, expected) => {
    expect(isCertainToCompile(drawn)).toBe(expected);
  });

  it('is compiled for its first value, once, and every other schema at once', async () => {
    const compiler = await JsonSchemaCompiler.create();
    const compile = jest.spyOn(Ajv2020.prototype, 'compile');
    try {
      const check = compiler.compile({ type: 'integer' });
      expect(compile).not.toHaveBeenCalled();
      expect([1, 2].map((value) => check(value).errors.length)).toEqual([0, 0]);
      expect(compile).toHaveBeenCalledTimes(1);
      compiler.compile({ not: { type: 'integer' } });
      expect(compile).toHaveBeenCalledTimes(2);
      expect(() => compiler.compile({ type: 'int64' }, { trusted: true })).toThrow(/Correct the schema/);
    } finally {
      compile.mockRestore();
    }
  });
});
