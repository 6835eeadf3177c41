import { describe, expect, it } from '@jest/globals';

import { NO_ARGUMENTS, noArguments, SchemaResolver } from '../../../lib/schema/schema.resolver.js';

/** The same schema through ajv: an equal copy, so that the shortcut does not apply. */
const oracle = new SchemaResolver().resolve({ ...NO_ARGUMENTS }, 'input');

describe('noArguments', () => {
  it('equals the result of the resolver', async () => {
    expect(await new SchemaResolver().resolve(NO_ARGUMENTS, 'input')).toBe(noArguments);
  });

  it.each([
    [{}],
    [{ a: 1 }],
    [{ a: 1, 'b c': 2 }],
    [[]],
    [null],
    ['x'],
    [JSON.parse('{"__proto__":1}')],
    [Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 0]))],
  ])('says of %j what ajv says', async (value: unknown) => {
    expect(noArguments.validate(value)).toEqual(await (await oracle).validate(value));
  });
});
