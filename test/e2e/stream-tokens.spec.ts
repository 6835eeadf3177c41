import { describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';

import { ADAPTERS } from '../support/adapters.js';
import { deskApp } from '../support/desk.module.js';
import { META, mcpRequest } from '../support/mcp-request.js';
import { serve } from '../support/served-app.js';
import { shareApp } from '../support/shared-app.js';

const NOTED = 'x-request-id';

type HeaderHook = (request: unknown, reply: { header(name: string, value: string): void }, done: () => void) => void;

interface HookedFastify {
  addHook(name: string, hook: HeaderHook): void;
}

/** What an app does to tell its requests apart. */
function noteRequests(adapter: (typeof ADAPTERS)[number]['name']): (app: INestApplication) => void {
  return (app) => {
    if (adapter === 'express') {
      app.use((_request: unknown, response: { setHeader(name: string, value: string): void }, next: () => void) => {
        response.setHeader(NOTED, 'r-1');
        next();
      });
      return;
    }
    const fastify = app.getHttpAdapter().getInstance() as HookedFastify;
    fastify.addHook('onRequest', (_request, reply, done) => {
      reply.header(NOTED, 'r-1');
      done();
    });
  };
}

describe.each(ADAPTERS)('progress tokens on $name', (adapter) => {
  const served = shareApp(deskApp(), adapter);

  it.each([
    ['0', '0'],
    ['an empty text', '""'],
    ['a text', '"a"'],
    ['a negative number', '-7'],
    ['a text of 256 bytes', JSON.stringify('é'.repeat(128))],
    ['the largest integer of 64 bits', '9223372036854775807'],
  ])('come back as they were sent: %s', async (_name, token) => {
    const { headers, body } = mcpRequest(
      'tools/call',
      { name: 'count', arguments: { steps: 2 } },
      { meta: { progressToken: 'TOKEN' } },
    );
    const { text, messages } = await served.app.post({ headers, body: body.replace('"TOKEN"', token) });
    expect(messages).toHaveLength(3);
    expect(text.split(`"params":{"progressToken":${token},"progress":`)).toHaveLength(3);
  });

  it.each([{}, null, 0.5, true, [], 'x'.repeat(257), 'é'.repeat(129)])(
    'are refused where they are none: %p',
    async (token) => {
      const answer = await served.app.call('count', { steps: 2 }, { meta: { ...META, progressToken: token } });
      expect(answer.message).toMatchObject({ id: 1, error: { code: -32602 } });
    },
  );
});

describe.each(ADAPTERS)('headers of the app on $name', (adapter) => {
  it('are on streams as they are on plain answers', async () => {
    await using served = await serve(deskApp(), adapter, { configure: noteRequests(adapter.name) });
    const plain = await served.call('count', { steps: 0 });
    const stream = await served.call('count', { steps: 2 }, { meta: { progressToken: 1 } });
    expect([plain, stream].map(({ headers }) => headers.get(NOTED))).toEqual(['r-1', 'r-1']);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
  });
});
