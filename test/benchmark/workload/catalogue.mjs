/** The most updates that a call of `count` reports. */
export const UPDATES = 1_000;

/**
 * The tools that every server offers: `echo`, `add`, `count`, and fillers up to the number asked for. Schemas are built with the Zod that
 * the server brings, since peers are installed apart from the library.
 */
export function catalogue(z, tools) {
  const fillers = Array.from({ length: tools - 3 }, (_, index) => ({
    name: `filler_${index}`,
    description: `Looks up record ${index} of the archive and returns a short summary of it`,
    input: z.object({ id: z.string().describe('Which record'), limit: z.number().int().min(1).max(100) }),
  }));
  return [
    { name: 'echo', description: 'Returns the text', input: z.object({ text: z.string().describe('What to return') }) },
    {
      name: 'add',
      description: 'Adds two numbers',
      input: z.object({ a: z.number(), b: z.number() }),
      output: z.object({ sum: z.number() }),
    },
    {
      name: 'count',
      description: 'Counts to a number and reports every step',
      input: z.object({ to: z.number().int().min(1).max(UPDATES) }),
    },
    ...fillers,
  ];
}

/** How many tools this process was asked to offer. */
export function requestedTools() {
  return Number(process.env.BENCHMARK_TOOLS ?? '10');
}

export const SERVER = Object.freeze({ name: 'benchmark', version: '1.0.0' });
