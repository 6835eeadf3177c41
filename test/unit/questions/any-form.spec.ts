import { describe, it, expect } from '@jest/globals';
import * as fc from 'fast-check';
import { elicit } from '../../../lib/questions/elicit.question.js';
import { FormCompiler } from '../../../lib/questions/form.compiler.js';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';
import { isOfficialAnswer, readOfficially } from '../../support/question-oracle.js';
import { legalForm } from './legal-forms.js';

const forms = new FormCompiler(new SchemaResolver());

describe('any form that the protocol allows', () => {
  it('is sent unchanged, as the official schema reads it, and accepts what its user may enter', async () => {
    const asked = legalForm.chain(({ schema, contents }) => fc.tuple(fc.constant(schema), contents));
    await fc.assert(
      fc.asyncProperty(asked, async ([schema, content]) => {
        const { wire, read } = await elicit({ message: 'a', schema }).prepare(forms);
        expect(wire.params['requestedSchema']).toEqual(schema);
        expect(readOfficially(wire)).toEqual(wire);
        const answer = { action: 'accept', content };
        expect(isOfficialAnswer('elicitation/create', answer)).toBe(true);
        expect(await read(answer)).toEqual({ ok: true, answer });
      }),
      { numRuns: 200 },
    );
  });
});
