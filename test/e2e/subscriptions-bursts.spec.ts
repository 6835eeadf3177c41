import { runInThisContext } from 'node:vm';

import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';

import { McpPolicy, Resource, type PolicyQuestion } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { ListenedApp, story, townApp } from '../support/listening.js';

/** Jest gives tests a copy that hears of no rejection. */
const realProcess = runInThisContext('process') as NodeJS.Process;

describe.each(ADAPTERS)('a burst of changes on $name', (adapter) => {
  it.each([false, true])('reaches a client that reads, for a burst of any size (all at once: %j)', async (atOnce) => {
    const log = new CapturedLog();
    const uris = Array.from({ length: 300 }, (_, index) => `demo://${index}`);
    await using app = await ListenedApp.serve(townApp(), adapter, { configure: log.attach.bind(log) });
    const stream = await app.listen({ resourceSubscriptions: uris });
    if (atOnce) await Promise.all(uris.map((uri) => app.notifier.resourceUpdated(uri)));
    else for (const uri of uris) await app.notifier.resourceUpdated(uri);
    await app.app.close();
    const lost = 302 - (await story(stream)).length;
    expect([lost, log.texts('warn').filter((text) => text.includes('slowly'))]).toEqual([0, []]);
  });
});

@Injectable()
class Annex {
  @Resource({ uri: 'demo://b', description: 'A second place' })
  place(): string {
    return 'b';
  }
}

describe.each(ADAPTERS)('a policy of subscriptions on $name', (adapter) => {
  it('may fail for one resource and throw for another, and nothing is left unhandled', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    realProcess.on('unhandledRejection', note);
    class Failing extends McpPolicy {
      decide({ component }: PolicyQuestion): Promise<boolean> {
        if (component.requestedUri === 'demo://a') return Promise.reject(new Error('one'));
        throw new Error('two');
      }
    }
    const module = townApp({ auth: { policy: new Failing() } }, { providers: [Annex] });
    await using app = await ListenedApp.serve(module, adapter);
    const notifications = { resourceSubscriptions: ['demo://a', 'demo://b'] };
    expect((await app.send('subscriptions/listen', { notifications })).message.error.code).toBe(-32603);
    await new Promise((resolve) => setImmediate(resolve));
    realProcess.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
