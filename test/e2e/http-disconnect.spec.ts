import { describe, expect, it } from '@jest/globals';
import type { INestApplication, NestInterceptor } from '@nestjs/common';

import { ADAPTERS } from '../support/adapters.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { statsOf, until, Workshop, workshopApp } from '../support/workshop.module.js';

const PROMPT_MS = 100;
const ATTEMPTS = 5;

/** Lets everything pass, as the commonest interceptors do. */
const passing: NestInterceptor = {
  intercept: async (_context, next) => {
    await Promise.resolve();
    return next.handle();
  },
};

interface Leave {
  readonly tool: string;
  /** What is on the connection when the client leaves. */
  readonly after?: string;
  readonly padding: number;
}

/** Leaves in the middle of a call; milliseconds until its handler heard of it. */
async function leave(served: ServedApp, name: string, { tool, after, padding }: Leave): Promise<number> {
  const meta = { progressToken: 1, 'example.com/padding': 'x'.repeat(padding) };
  const posted = mcpRequest('tools/call', { name: tool, arguments: { name } }, { meta });
  const connection = await RawConnection.open(served.origin);
  connection.send({ headers: linesOf(posted), body: posted.body });
  const { aborted } = await served.app.get(Workshop).started(name);
  if (after !== undefined) await connection.until(after);
  const left = performance.now();
  connection[Symbol.dispose]();
  expect(await aborted.opened).toMatchObject({ code: 'MCP_CALL_CANCELLED', reason: 'client-gone' });
  return performance.now() - left;
}

const MODES: readonly (readonly [string, Pick<Leave, 'tool' | 'after'>])[] = [
  ['a plain answer', { tool: 'obey' }],
  ['a stream', { tool: 'report', after: '"progress":2' }],
];

describe.each(ADAPTERS)('a client that leaves on $name', (adapter) => {
  describe.each([0, 1, 2])('with %i interceptors of the app', (interceptors) => {
    it.each(MODES.flatMap(([mode, leaving]) => [0, 80_000].map((padding) => ({ mode, padding, ...leaving }))))(
      'aborts its handler at once while it waits for $mode to a body of $padding bytes',
      async (leaving) => {
        const configure = (app: INestApplication): void => {
          for (let count = 0; count < interceptors; count += 1) app.useGlobalInterceptors(passing);
        };
        await using served = await serve(workshopApp(), adapter, { configure });
        const delays: number[] = [];
        for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
          delays.push(await leave(served, `attempt ${attempt}`, leaving));
        }
        // A busy machine may delay any of them, but not all.
        expect(Math.min(...delays)).toBeLessThan(PROMPT_MS);
        await until(() => statsOf(served).running === 0);
      },
    );
  });

  it('frees everything, and never aborts by mistake', async () => {
    await using served = await serve(workshopApp(), adapter);
    const workshop = served.app.get(Workshop);
    const stayed = served.call('hold', { name: 'stays' });
    const staying = await workshop.started('stays');
    for (const attempt of [1, 2, 3]) await leave(served, `left ${attempt}`, { tool: 'obey', padding: 0 });
    expect(staying.signal.aborted).toBe(false);
    staying.release.open('done');
    expect((await stayed).status).toBe(200);
    // Neither does the end of a call that was answered, on a connection that then closes.
    await served.app.close();
    expect(staying.signal.aborted).toBe(false);
  });
});
