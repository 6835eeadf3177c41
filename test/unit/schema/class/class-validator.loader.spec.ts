import { expect, it, jest } from '@jest/globals';
import { SchemaResolver } from '../../../../lib/schema/schema.resolver.js';

jest.unstable_mockModule('class-validator', () => {
  throw new Error("Cannot find package 'class-validator'");
});

class Args {
  a = 1;
}

it('says what to install where class-validator is missing, and only when a class needs it', async () => {
  const resolver = new SchemaResolver();
  await expect(resolver.resolve({ type: 'object' }, 'input')).resolves.toBeDefined();
  await expect(resolver.resolve(Args, 'input')).rejects.toThrow(
    /a DTO class needs class-validator, which could not be loaded \(Cannot find package 'class-validator'\)\. Run `npm install class-validator class-transformer`/,
  );
});
