import { z } from 'zod';

import { CLOSED, FLAVOURS, isOpenOn } from './bakery.service.js';

/** The same as a Zod schema, with the closing day as a refinement. */
export const cakeArgs = z.strictObject({
  flavour: z.enum(FLAVOURS).describe('What the cake tastes of'),
  guests: z.int().min(2).max(40).default(8).describe('How many people it is for'),
  day: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .refine(isOpenOn, CLOSED)
    .describe('When it is fetched, as YYYY-MM-DD'),
  writing: z.string().max(30).nullish().describe('What is written on it'),
});

/** The same as JSON Schema 2020-12, which cannot express the closing day and sets no defaults. */
export const cakeSchema = {
  type: 'object',
  properties: {
    flavour: { enum: FLAVOURS, description: 'What the cake tastes of' },
    guests: { type: 'integer', minimum: 2, maximum: 40, default: 8, description: 'How many people it is for' },
    day: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'When it is fetched, as YYYY-MM-DD' },
    writing: { type: ['string', 'null'], maxLength: 30, description: 'What is written on it' },
  },
  required: ['flavour', 'day'],
  additionalProperties: false,
};

/** The output: members that are not declared here, such as the cost, are removed. */
export const receipt = z.object({
  number: z.int().describe('Number of the order'),
  cake: z.string(),
  day: z.iso.date(),
  price: z.number().describe('In euros'),
});
