import { describe, expect, it } from '@jest/globals';

import { type BusMessage, type ChangeBusListener, InMemoryChangeBus } from '../../../lib/subscriptions/change-bus.js';

const MESSAGE: BusMessage = { server: 'default', change: { kind: 'tools-changed' } };

function recorder(whenChanged: () => void = () => {}): ChangeBusListener & { readonly messages: BusMessage[] } {
  const messages: BusMessage[] = [];
  const changed = (message: BusMessage): void => {
    messages.push(message);
    whenChanged();
  };
  return { messages, changed, failed: () => {} };
}

describe('InMemoryChangeBus', () => {
  it('carries a message to all, before publish returns', () => {
    const bus = new InMemoryChangeBus();
    const [one, other] = [recorder(), recorder()];
    bus.subscribe(one);
    bus.subscribe(other);
    bus.publish(MESSAGE);
    expect([one.messages, other.messages]).toEqual([[MESSAGE], [MESSAGE]]);
  });

  it('ends one subscription of several of the same listener, even if it is ended repeatedly', () => {
    const bus = new InMemoryChangeBus();
    const listener = recorder();
    bus.subscribe(listener);
    const end = bus.subscribe(listener);
    end();
    end();
    bus.publish(MESSAGE);
    expect(listener.messages).toEqual([MESSAGE]);
  });

  it('does not reach listeners that were unsubscribed or subscribed during the delivery', () => {
    const bus = new InMemoryChangeBus();
    const [gone, late] = [recorder(), recorder()];
    bus.subscribe(
      recorder(() => {
        end();
        bus.subscribe(late);
      }),
    );
    const end = bus.subscribe(gone);
    bus.publish(MESSAGE);
    expect([gone.messages, late.messages]).toEqual([[], []]);
  });
});
