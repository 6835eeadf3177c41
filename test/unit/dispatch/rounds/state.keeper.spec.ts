import { describe, expect, it } from '@jest/globals';

import {
  type RoundMemory,
  StateKeeper,
  type StateKeeperOptions,
} from '../../../../lib/dispatch/rounds/state.keeper.js';
import type { OperationRequest } from '../../../../lib/model/operation.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { keyOf, MODES, sealerOf, type SealerParts } from '../../request-state/sealing.js';

const MEMORY: RoundMemory = { answers: new Map(), values: new Map(), asked: ['k'], state: { step: 1 } };
const TTL_MS = 300_000;

/** Counts how often the body and the caller of its request are read. */
class Watched {
  looks = 0;

  constructor(private readonly args: object = {}) {}

  get request(): OperationRequest {
    const look = (): void => {
      this.looks += 1;
    };
    const { args } = this;
    return {
      operation: { kind: 'call-tool', name: 'x', arguments: {} },
      id: 1,
      client: { protocolVersion: '', capabilities: {} },
      meta: {},
      caller: {
        auth: () => {
          look();
          return 'ada';
        },
      },
      get body() {
        look();
        return JSON.stringify({ params: { arguments: args } });
      },
    };
  }
}

const keeperOf = (parts: SealerParts = {}, options: Partial<StateKeeperOptions> = {}): StateKeeper =>
  new StateKeeper({ sealer: sealerOf(parts), name: 'store', server: 'default', principalOf: String, ...options });

describe.each(MODES)('a state in the mode %s', (mode) => {
  it('is refused without reading the request, when it was not sealed with these keys or has expired', async () => {
    const clock = new ManualClock();
    const keeper = keeperOf({ mode, clock });
    const token = keeper.seal(MEMORY, new Watched().request);
    const middle = token.length >> 1;
    const changed = `${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}${token.slice(middle + 1)}`;
    const foreign = keeperOf({ mode, clock, keys: [keyOf('a', 9)] }).seal(MEMORY, new Watched().request);
    const watched = new Watched();
    for (const wrong of ['', 'garbage', `a.${'A'.repeat(16_000)}`, changed, foreign]) {
      expect(await keeper.open(wrong, watched.request)).toBeUndefined();
    }
    expect(watched.looks).toBe(0);
    expect(await keeper.open(token, watched.request)).toEqual(MEMORY);
    expect(watched.looks).toBe(2);
    clock.advance(TTL_MS);
    expect(await keeper.open(token, watched.request)).toBeUndefined();
    expect(watched.looks).toBe(2);
  });

  it('belongs to one app, also when several apps share keys', async () => {
    const token = keeperOf({ mode }).seal(MEMORY, new Watched().request);
    const open = (options: Partial<StateKeeperOptions>, args?: object): Promise<RoundMemory | undefined> =>
      keeperOf({ mode }, options).open(token, new Watched(args).request);
    expect(await open({})).toEqual(MEMORY);
    expect(await open({ name: 'stores' })).toBeUndefined();
    expect(await open({ server: 'admin' })).toBeUndefined();
    expect(await open({ principalOf: () => 'eve' })).toBeUndefined();
    expect(await open({}, { a: 1 })).toBeUndefined();
  });
});
