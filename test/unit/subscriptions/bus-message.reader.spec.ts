import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import type { Change } from '../../../lib/model/change.js';
import { readBusMessage } from '../../../lib/subscriptions/subscription.hub.js';

const change = fc.oneof(
  fc.constantFrom<Change['kind']>('tools-changed', 'prompts-changed', 'resources-changed').map((kind) => ({ kind })),
  fc.string().map((uri) => ({ kind: 'resource-updated', uri })),
);

describe('readBusMessage', () => {
  it('reads what went through JSON as it was', () => {
    fc.assert(
      fc.property(fc.string(), change, (server, change) => {
        const message = { server, change };
        expect(readBusMessage(JSON.parse(JSON.stringify(message)))).toEqual(message);
      }),
    );
  });

  it('gives one object for every change of the same list', () => {
    const [one, other] = [{ kind: 'tools-changed' }, { kind: 'tools-changed' }].map((change) =>
      readBusMessage({ server: 'a', change }),
    );
    expect(one?.change).toBe(other?.change);
  });

  it('omits unknown members of a message', () => {
    const message = { server: 'a', from: 'b', change: { kind: 'resource-updated', uri: 'demo://a', secret: 1 } };
    expect(readBusMessage(message)).toEqual({ server: 'a', change: { kind: 'resource-updated', uri: 'demo://a' } });
  });

  it.each([
    [undefined],
    [null],
    ['tools-changed'],
    [[]],
    [{}],
    [{ server: 'a' }],
    [{ server: 1, change: { kind: 'tools-changed' } }],
    [{ change: { kind: 'tools-changed' } }],
    [{ server: 'a', change: null }],
    [{ server: 'a', change: 'tools-changed' }],
    [{ server: 'a', change: { kind: 'tools' } }],
    [{ server: 'a', change: { kind: 'toString' } }],
    [{ server: 'a', change: { kind: ['tools-changed'] } }],
    [{ server: 'a', change: { kind: 'resource-updated' } }],
    [{ server: 'a', change: { kind: 'resource-updated', uri: 1 } }],
  ])('takes %j for no message', (value: unknown) => {
    expect(readBusMessage(value)).toBeUndefined();
  });

  it('never throws', () => {
    const hostile = fc.oneof(fc.anything(), fc.record({ server: fc.anything(), change: fc.anything() }));
    fc.assert(
      fc.property(hostile, (value) => {
        expect(() => readBusMessage(value)).not.toThrow();
      }),
    );
  });
});
