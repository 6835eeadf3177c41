import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import type { Change } from '../../../lib/model/change.js';
import { CapturedLog } from '../../support/captured-log.js';
import { LISTS, Model, SPELLINGS } from './hub-model.js';
import { updated } from './recording-listener.js';

Logger.overrideLogger(new CapturedLog());

const filters = fc.record({
  tools: fc.boolean(),
  prompts: fc.boolean(),
  resources: fc.boolean(),
  uris: fc.subarray(SPELLINGS).chain((uris) => fc.shuffledSubarray(uris, { minLength: uris.length })),
});

const changes = fc.oneof(
  fc.constantFrom(...(Object.keys(LISTS) as (keyof typeof LISTS)[])).map((kind): Change => ({ kind })),
  fc.constantFrom(...SPELLINGS).map(updated),
);

const steps = fc.oneof(
  { weight: 3, arbitrary: filters.map((filter) => (model: Model) => model.open(filter)) },
  { weight: 2, arbitrary: fc.nat(20).map((number) => (model: Model) => model.close(number)) },
  { weight: 12, arbitrary: changes.map((change) => (model: Model) => model.publish('default', change)) },
  { weight: 1, arbitrary: changes.map((change) => (model: Model) => model.publish('other', change)) },
  {
    weight: 8,
    arbitrary: fc.tuple(fc.nat(20), fc.boolean()).map(
      ([number, again]) =>
        (model: Model) =>
          model.write(number, again),
    ),
  },
);

describe('any interleaving of open, close, publish and written', () => {
  it('behaves as a simple model, and frees everything', () => {
    const options = fc.record({
      server: fc.constant('default'),
      maxPendingChanges: fc.integer({ min: 1, max: 4 }),
      overflow: fc.constantFrom('drop-oldest' as const, 'drop-newest' as const),
    });
    fc.assert(
      fc.property(options, fc.array(steps, { maxLength: 80 }), fc.boolean(), (options, before, gracefully) => {
        const model = new Model(options);
        for (const step of before) {
          step(model);
          expect(model.actual()).toEqual(model.expected());
        }
        const staying = model.listeners.filter((listener) => listener.open);
        if (gracefully) finish(model);
        expect(model.actual()).toEqual(model.expected());
        for (const listener of model.listeners) {
          expect(listener.ends).toEqual(gracefully && staying.includes(listener) ? ['complete'] : []);
        }
        for (const number of model.listeners.keys()) model.close(number);
        expect(model.actual()).toEqual(model.expected());
        expect(model.hub.stats()).toMatchObject({ listeners: 0, uris: 0 });
      }),
      { numRuns: 150 },
    );
  });
});

/** Completes the hub and writes all that waits. */
function finish(model: Model): void {
  model.complete();
  for (const number of model.listeners.keys()) {
    for (let writes = 0; writes <= 5; writes += 1) model.write(number, false);
  }
}
