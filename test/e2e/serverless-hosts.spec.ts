import type { IncomingMessage, ServerResponse } from 'node:http';

import { describe, expect, it } from '@jest/globals';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';

import { getMcpToken, McpExecutor, McpNotifier, McpServer } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { Desk, deskApp } from '../support/desk.module.js';
import { mcpRequest } from '../support/mcp-request.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { invoke, STAND_INS } from '../support/serverless-host.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** The HTTP framework of an app, without a server. */
const frameworkOf = ({ app }: ServedApp): Handler => {
  const instance = app.getHttpAdapter().getInstance() as Handler & { routing?: Handler };
  return instance.routing ?? instance;
};

const nodeOf = ({ app }: { app: INestApplicationContext }): Handler => {
  const server = app.get<McpServer>(getMcpToken(McpServer), { strict: false });
  return (request, response) => server.handleNode(request, response);
};

const HOSTS = ADAPTERS.flatMap((adapter) => [
  { name: adapter.name, adapter, handlerOf: frameworkOf },
  ...(adapter.name === 'express' ? [{ name: 'handleNode()', adapter, handlerOf: nodeOf }] : []),
]);

/** What is left of an answer would keep the app open for longer than a test may take. */
const patientDesk = (): DynamicModule => deskApp({ limits: { drainTimeoutMs: 60_000 }, http: { keepAliveMs: 1_000 } });

const open = (served: ServedApp): number => {
  const { running, slots } = served.app.get(McpExecutor).stats();
  return running + (slots['subscriptions'] ?? 0);
};

describe.each(HOSTS)('behind a host without connections, by $name', ({ adapter, handlerOf }) => {
  describe.each(STAND_INS)('with $name in place of one', (standIn) => {
    it('calls are answered, at once and later', async () => {
      await using served = await serve(patientDesk(), adapter);
      const ask = (name: string, args: object, parts = {}) =>
        invoke(handlerOf(served), mcpRequest('tools/call', { name, arguments: args }, parts), standIn);
      const quick = ask('echo', { text: 'hi' });
      await quick.finished;
      expect([quick.status, quick.messages]).toMatchObject([200, [{ id: 1, result: { content: [{ text: 'hi' }] } }]]);
      const slow = ask('wait', {});
      await served.app.get(Desk).waiting.opened;
      served.app.get(Desk).release.open('done');
      await slow.finished;
      expect([slow.status, slow.messages]).toMatchObject([200, [{ result: { content: [{ text: 'done' }] } }]]);
    });

    it('refusals are answered', async () => {
      await using served = await serve(patientDesk(), adapter);
      const answers = [
        invoke(handlerOf(served), { ...mcpRequest('tools/list'), body: '{' }, standIn),
        invoke(handlerOf(served), mcpRequest('foo/bar'), standIn),
        invoke(
          handlerOf(served),
          mcpRequest('tools/list', {}, { headers: { origin: 'http://evil.example' } }),
          standIn,
        ),
      ];
      await Promise.all(answers.map(({ finished }) => finished));
      expect(answers.map(({ status }) => status)).toEqual([400, 404, 403]);
    });

    it('streams are written, and awaited steps go on', async () => {
      await using served = await serve(patientDesk(), adapter);
      const meta = { progressToken: 1 };
      const posted = mcpRequest('tools/call', { name: 'count', arguments: { steps: 200 } }, { meta });
      const answer = invoke(handlerOf(served), posted, standIn);
      await answer.finished;
      expect(answer.messages).toHaveLength(201);
      expect(answer.messages.at(-1)).toMatchObject({ result: { content: [{ text: 'counted' }] } });
      expect(open(served)).toBe(0);
    });

    it('subscriptions receive changes, and their end', async () => {
      await using served = await serve(patientDesk(), adapter);
      const posted = mcpRequest('subscriptions/listen', { notifications: { toolsListChanged: true } });
      const answer = invoke(handlerOf(served), posted, standIn);
      await answer.until('acknowledged');
      await served.app.get(McpNotifier).toolsChanged();
      await answer.until('list_changed');
      await answer.until(': keep-alive');
      await served.app.close();
      await answer.finished;
      expect(answer.messages.at(-1)).toHaveProperty('result');
    });
  });
});
