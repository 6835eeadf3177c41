import { describe, expect, it } from '@jest/globals';
import { Injectable, type DynamicModule } from '@nestjs/common';

import { McpPolicy, Resource, Tool, type McpModuleOptions } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { Gate } from '../support/gate.js';
import { referenceOf } from '../support/reference.js';
import { serve } from '../support/served-app.js';
import { moduleOf, refusal } from '../support/started.js';
import { policyOf, visibleApp, type Decide } from '../support/visible-app.js';

@Injectable()
class Library {
  @Tool({ description: 'd' })
  known(): string {
    return 'reached';
  }

  @Tool({ description: 'd' })
  other(): string {
    return 'reached';
  }

  @Resource({ uri: 'books://secret', description: 'd' })
  secretBook(): string {
    return 'reached';
  }
}

const appOf = (auth: NonNullable<McpModuleOptions['auth']>): DynamicModule => visibleApp([Library], { auth });

const never = new Gate<boolean>().opened;

const FAILURES: readonly (readonly [string, Decide])[] = [
  [
    'throws',
    () => {
      throw new Error('a detail that must stay inside');
    },
  ],
  ['rejects', () => Promise.reject(new Error('a detail that must stay inside'))],
  ['answers nothing', () => undefined as never],
  ['answers with another word for yes', () => 'yes' as never],
  ['refuses without a word', () => ({ refused: true }) as never],
  ['takes too long', () => never],
];

describe.each(ADAPTERS)('a policy that fails on $name', (adapter) => {
  it.each(FAILURES)('since it %s makes an error of lists and uses, concealed or not', async (_name, decide) => {
    for (const refusals of ['explain', 'conceal'] as const) {
      const log = new CapturedLog();
      const auth = { policy: policyOf(decide), policyTimeoutMs: 20, refusals };
      await using app = await serve(appOf(auth), adapter, { configure: log.attach.bind(log) });
      for (const [method, params] of [
        ['tools/list', {}],
        ['tools/call', { name: 'known' }],
      ] as const) {
        const { status, message, text } = await app.send(method, params);
        expect([status, message.error.code, text.includes('detail')]).toEqual([200, -32603, false]);
        const reference = referenceOf(message);
        expect(log.texts('error').filter((line) => line.includes(reference))).toHaveLength(1);
      }
      const listen = { notifications: { resourceSubscriptions: ['books://secret'] } };
      expect((await app.send('subscriptions/listen', listen)).message.error.code).toBe(-32603);
      expect((await app.send('tools/call', { name: 'absent' })).message.error.code).toBe(-32602);
    }
  });

  it('since it answers too few questions makes an error of a list', async () => {
    class Short extends McpPolicy {
      decide(): boolean {
        return true;
      }

      override decideAll(): boolean[] {
        return [true];
      }
    }
    await using app = await serve(appOf({ policy: new Short() }), adapter);
    expect((await app.send('tools/list')).message.error.code).toBe(-32603);
  });
});

describe('a server with a policy', () => {
  const policy = policyOf(() => true);

  it.each(['tools', 'prompts', 'resources', 'templates', 'read'])(
    'does not start with a public cache of %s',
    async (subject) => {
      const error = await refusal(moduleOf({}, { auth: { policy }, cache: { [subject]: { scope: 'public' } } }));
      expect([error.name, error.message]).toEqual([
        'InvalidOptionsError',
        expect.stringContaining(`cache.${subject}.scope`),
      ]);
    },
  );

  it.each([
    ['auth.policy', { policy: {} }],
    ['auth.policy', { policy: 'x' }],
    ['auth.policy', { policy: class {} }],
    ['auth.policy', { policy: McpPolicy }],
    ['auth.policyTimeoutMs', { policyTimeoutMs: 0 }],
    ['auth.refusals', { refusals: 'hide' }],
  ])('does not start with a wrong %s: %j', async (option, auth) => {
    const error = await refusal(moduleOf({}, { auth: auth as never }));
    expect([error.name, error.message]).toEqual(['InvalidOptionsError', expect.stringContaining(option)]);
  });
});
