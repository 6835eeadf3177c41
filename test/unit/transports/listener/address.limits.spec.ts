import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import { describe, expect, it } from '@jest/globals';

import { AddressLimits } from '../../../../lib/transports/listener/address.limits.js';

class FakeSocket extends EventEmitter {
  destroyed = false;

  constructor(readonly remoteAddress: string | undefined) {
    super();
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

class FakeResponse extends EventEmitter {
  readonly req: { readonly socket: FakeSocket };

  constructor(socket: FakeSocket) {
    super();
    this.req = { socket };
  }
}

/** A listener whose clients are where a test says. */
class Listener {
  private readonly server = new EventEmitter();
  private readonly limits: AddressLimits;

  constructor(bounds: { readonly connections?: number; readonly requests?: number }) {
    const { connections = 100, requests = 100 } = bounds;
    this.limits = new AddressLimits(this.server as Server, {
      maxConnectionsPerAddress: connections,
      maxRequestsPerAddress: requests,
    });
  }

  connect(address: string | undefined): FakeSocket {
    const socket = new FakeSocket(address);
    this.server.emit('connection', socket);
    return socket;
  }

  /** The response where the request may be handled. */
  ask(socket: FakeSocket): FakeResponse | undefined {
    const response = new FakeResponse(socket);
    const may = this.limits.enter(response.req as unknown as IncomingMessage, response as unknown as ServerResponse);
    return may ? response : undefined;
  }
}

const ADA = '192.0.2.1';
const BOB = '2001:db8::1';

describe('connections of one address', () => {
  it('are limited per address', () => {
    const listener = new Listener({ connections: 2 });
    const isOpen = (address: string | undefined): boolean => !listener.connect(address).destroyed;
    const first = listener.connect(ADA);
    expect([first.destroyed, isOpen(ADA), isOpen(ADA), isOpen(`::ffff:${ADA}`)]).toEqual([false, true, false, false]);
    expect([isOpen(BOB), isOpen('2001:db8::2'), isOpen('2001:db8::3'), isOpen('2001:db8:0:1::1')]).toEqual([
      ...[true, true, false, true],
    ]);
    first.destroy();
    expect([isOpen(ADA), isOpen(ADA)]).toEqual([true, false]);
  });

  it('are not counted if the client has already left', () => {
    const listener = new Listener({ connections: 1 });
    expect([listener.connect(undefined).destroyed, listener.connect(undefined).destroyed]).toEqual([false, false]);
  });
});

describe('requests of one address', () => {
  it('are limited over all connections of an address', () => {
    const listener = new Listener({ requests: 2 });
    const [one, two, other] = [listener.connect(ADA), listener.connect(ADA), listener.connect(BOB)];
    const answered = listener.ask(one);
    expect([listener.ask(two) === undefined, listener.ask(one), listener.ask(two)]).toEqual([
      ...[false, undefined, undefined],
    ]);
    expect([listener.ask(other) === undefined, listener.ask(other) === undefined, listener.ask(other)]).toEqual([
      ...[false, false, undefined],
    ]);
    answered?.emit('close');
    expect([listener.ask(two) === undefined, listener.ask(one)]).toEqual([false, undefined]);
  });

  it('end with their connection, in any order of events', () => {
    const listener = new Listener({ requests: 3 });
    for (const early of [true, false]) {
      const socket = listener.connect(ADA);
      const responses = [listener.ask(socket), listener.ask(socket), listener.ask(socket)];
      expect(responses).not.toContain(undefined);
      // Those that stand behind it never hear of the end.
      if (early) responses[0]?.emit('close');
      socket.destroy();
      if (!early) responses[0]?.emit('close');
    }
    const next = listener.connect(ADA);
    expect([1, 2, 3, 4].map(() => listener.ask(next) !== undefined)).toEqual([true, true, true, false]);
  });

  it('are accepted if the address is no longer known', () => {
    const listener = new Listener({ requests: 1 });
    const socket = listener.connect(undefined);
    expect([listener.ask(socket), listener.ask(socket)]).not.toContain(undefined);
  });
});
