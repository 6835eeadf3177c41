import { beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Scope, UseGuards, type CanActivate, type DynamicModule, type Type } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';

import {
  Completion,
  McpExecutionContext,
  McpMetrics,
  Prompt,
  Resource,
  Tool,
  type McpAuthOptions,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { Gate } from '../support/gate.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { policyOf, visibleApp } from '../support/visible-app.js';
import { statsOf, until } from '../support/workshop.module.js';

/** What ran, in order. */
const ran: string[] = [];
let begun = new Gate();
let verdict = new Gate<boolean>();
/** What the signal of a guard said last. */
let signal: AbortSignal | undefined;
let isSlow = true;

/** Decides when the test lets it, and from then on at once. */
function decide(name: string): boolean | Promise<boolean> {
  ran.push(name);
  if (!isSlow) return true;
  begun.open();
  return verdict.opened;
}

class SlowGuard implements CanActivate {
  canActivate(context: Parameters<CanActivate['canActivate']>[0]): boolean | Promise<boolean> {
    signal = McpExecutionContext.create(context).getContext().signal;
    return decide('guard');
  }
}

class LaterGuard implements CanActivate {
  canActivate(): boolean {
    ran.push('later guard');
    return true;
  }
}

const filter = {
  catch(error: unknown): never {
    ran.push('filter');
    throw error;
  },
};

function hostOf(scope: Scope): Type<unknown> {
  @Injectable({ scope })
  @UseGuards(SlowGuard, LaterGuard)
  class Host {
    @Tool({ description: 'd' })
    tool(): string {
      ran.push('handler');
      return 'reached';
    }

    @Prompt({ description: 'd', input: { type: 'object', properties: { a: { type: 'string' } } } })
    prompt(): string {
      ran.push('handler');
      return 'reached';
    }

    @Completion({ prompt: 'prompt', argument: 'a' })
    complete(): string[] {
      ran.push('handler');
      return ['reached'];
    }

    @Resource({ uri: 'place://a', description: 'd' })
    resource(): string {
      ran.push('handler');
      return 'reached';
    }

    @Resource({ uri: 'place://rooms/{room}', description: 'd' })
    template(): string {
      ran.push('handler');
      return 'reached';
    }
  }
  return Host;
}

interface Plan {
  readonly auth?: McpAuthOptions;
  readonly scope?: Scope;
}

const appOf = ({ auth = {}, scope = Scope.DEFAULT }: Plan): DynamicModule =>
  visibleApp([hostOf(scope), { provide: APP_FILTER, useValue: filter }], { auth });

const REQUESTS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['tools/list', {}],
  ['resources/templates/list', {}],
  ['tools/call', { name: 'tool' }],
  ['resources/read', { uri: 'place://a' }],
  ['resources/read', { uri: 'place://rooms/1' }],
  ['prompts/get', { name: 'prompt' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'a', value: '' } }],
  ['subscriptions/listen', { notifications: { resourceSubscriptions: ['place://a', 'place://rooms/1'] } }],
];

const held = (served: ServedApp): unknown[] => {
  const { running, queued, abandoned, owners, slots } = statsOf(served);
  return [running, queued, abandoned, owners, slots];
};

const FREE = [0, 0, 0, 0, {}];

/** Leaves while something decides, and tells what ran after that. */
async function leave(
  served: ServedApp,
  [method, params]: (typeof REQUESTS)[number],
  settle: () => void,
): Promise<string[]> {
  const posted = mcpRequest(method, params, { meta: { progressToken: 1 } });
  const connection = await RawConnection.open(served.origin);
  connection.send({ headers: linesOf(posted), body: posted.body });
  await begun.opened;
  connection.destroy();
  // What decides has not come to an end, and never would without the test.
  await until(() => JSON.stringify(held(served)) === JSON.stringify(FREE));
  const before = ran.length;
  settle();
  isSlow = false;
  // The whole way of another request leaves time for whatever would still run.
  expect((await served.send('server/discover')).status).toBe(200);
  return ran.slice(before);
}

function reset(): void {
  ran.length = 0;
  begun = new Gate();
  verdict = new Gate();
  signal = undefined;
  isSlow = true;
}

describe('clients that leave while they are authorized', () => {
  beforeEach(reset);

  const ENDINGS: readonly (readonly [string, () => void])[] = [
    ['lets it pass', () => verdict.open(true)],
    ['refuses', () => verdict.open(false)],
    ['fails', () => verdict.open(Promise.reject(new Error('too late')) as never)],
  ];

  describe.each(ADAPTERS)('a client that leaves on $name', (adapter) => {
    const policy = policyOf(() => decide('policy'));

    it.each(REQUESTS)(
      'while a policy decides about %s %j frees its place at once, and nothing follows',
      async (...asked) => {
        await using served = await serve(appOf({ auth: { policy, policyTimeoutMs: 3_600_000 } }), adapter);
        expect(await leave(served, asked, () => verdict.open(true))).toEqual([]);
        expect(new Set(ran)).toEqual(new Set(['policy']));
        const { requests } = served.app.get(McpMetrics, { strict: false }).snapshot();
        expect(Object.values(requests).map(({ cancelled }) => cancelled)).toEqual([1, 0]);
      },
    );

    describe.each([
      ['the whole app', Scope.DEFAULT],
      ['each request', Scope.REQUEST],
    ])('whose host is made for %s', (_name, scope) => {
      it.each(REQUESTS)(
        'while a guard decides about %s %j frees its place at once, and nothing follows',
        async (...asked) => {
          await using served = await serve(appOf({ scope }), adapter);
          expect(await leave(served, asked, () => verdict.open(true))).toEqual([]);
          expect(signal?.aborted).toBe(true);
        },
      );
    });

    it.each(ENDINGS)('receives no result of the decision, also when it %s', async (_name, settle) => {
      for (const auth of [{}, { policy }]) {
        await using served = await serve(appOf({ auth }), adapter);
        for (const asked of REQUESTS) {
          reset();
          expect(await leave(served, asked, settle)).toEqual([]);
        }
      }
    });
  });
});
