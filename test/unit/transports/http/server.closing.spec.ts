import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { leaveNotes } from '../../../../lib/transports/node-http/http-request.js';
import { ServerClosing } from '../../../../lib/transports/http/server.closing.js';

/** When what is late is ended: the time of the app, and that of its last words. */
const LATE_MS = 1_000 + 250;

class FakeServer extends EventEmitter {
  listening = true;
  idle = 0;

  closeIdleConnections(): void {
    this.idle += 1;
  }
}

class FakeResponse {
  headersSent = false;
  shouldKeepAlive = true;
  destroyed = 0;
  readonly written: unknown[] = [];
  readonly req = {};

  constructor(isOurs: boolean) {
    const head = { method: 'POST', headers: {}, rawHeaders: [], contentType: undefined };
    if (isOurs) leaveNotes(this.req as never, this, { head, isMultiplexed: false, screened: true });
  }

  writeHead(status: number): void {
    this.headersSent = true;
    this.written.push(status);
  }

  hasHeader(): boolean {
    return false;
  }

  end(): void {}

  destroy(): void {
    this.destroyed += 1;
  }
}

class FakeSocket extends EventEmitter {
  private static ports = 1_000;
  readonly remoteAddress = '127.0.0.1';
  readonly remotePort = (FakeSocket.ports += 1);
  bytesRead = 100;
  parser: object | null = {};
  _httpMessage: FakeResponse | null = null;
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function setUp(server = new FakeServer()) {
  const closing = ServerClosing.of(server as unknown as Server);
  const connect = (parts: Partial<FakeSocket> = {}): FakeSocket => {
    const socket = Object.assign(new FakeSocket(), parts);
    server.emit('connection', socket);
    return socket;
  };
  const close = (): void => {
    closing.begin(1_000);
    server.listening = false;
  };
  return { server, closing, connect, close };
}

describe('ServerClosing', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is one for a server', () => {
    const server = new FakeServer();
    expect(setUp(server).closing).toBe(setUp(server).closing);
    expect(server.listenerCount('connection')).toBe(1);
  });

  it('ends nothing while the app still listens, and nothing that was never listening', () => {
    const { closing, connect, server } = setUp();
    const silent = connect({ bytesRead: 0 });
    closing.begin(1_000);
    jest.advanceTimersByTime(10_000);
    expect([silent.destroyed, server.idle]).toEqual([false, 0]);
    server.emit('close');
    expect(jest.getTimerCount()).toBe(0);
    server.listening = false;
    closing.begin(1_000);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends silent connections at once, and those with half a head after their time', () => {
    const { connect, close, server } = setUp();
    const [silent, half] = [connect({ bytesRead: 0 }), connect()];
    close();
    jest.advanceTimersByTime(50);
    expect([silent.destroyed, half.destroyed, server.idle]).toEqual([true, false, 1]);
    jest.advanceTimersByTime(LATE_MS);
    expect(half.destroyed).toBe(true);
  });

  it('refuses requests of the library that are late, then cuts them off', () => {
    const { connect, close } = setUp();
    const held = new FakeResponse(true);
    connect({ _httpMessage: held });
    close();
    jest.advanceTimersByTime(LATE_MS - 50);
    expect(held.written).toEqual([]);
    jest.advanceTimersByTime(100);
    expect([held.written, held.shouldKeepAlive, held.destroyed]).toEqual([[503], false, 0]);
    jest.advanceTimersByTime(250);
    expect(held.destroyed).toBeGreaterThan(0);
  });

  it('does not change other requests of the app, or upgraded connections', () => {
    const { connect, close } = setUp();
    const other = new FakeResponse(false);
    const [busy, upgraded] = [connect({ _httpMessage: other }), connect({ parser: null })];
    close();
    jest.advanceTimersByTime(10 * LATE_MS);
    expect([busy.destroyed, other.written, other.destroyed, upgraded.destroyed]).toEqual([false, [], 0, false]);
  });

  it('ends connections whose handshake is not done', () => {
    const { connect, close, server } = setUp(Object.assign(new FakeServer(), { setSecureContext: () => undefined }));
    const [pending, done] = [connect({ parser: null }), connect({ parser: null })];
    const secure = Object.assign(new FakeSocket(), {
      remotePort: done.remotePort,
      _httpMessage: new FakeResponse(false),
    });
    server.emit('secureConnection', secure);
    close();
    jest.advanceTimersByTime(2 * LATE_MS);
    expect([pending.destroyed, done.destroyed]).toEqual([true, false]);
  });

  it('sends GOAWAY on HTTP/2 sessions, and ends their connections after the last stream', () => {
    const { connect, close, server, closing } = setUp();
    const socket = connect({ parser: null });
    const session = { socket, destroyed: false, told: 0, close: () => (session.told += 1) };
    server.emit('session', session);
    const held = new FakeResponse(true);
    closing.include(() => [held as never]);
    close();
    jest.advanceTimersByTime(LATE_MS - 50);
    expect([session.told > 0, held.written]).toEqual([true, []]);
    jest.advanceTimersByTime(100);
    expect([held.written, socket.destroyed]).toEqual([[503], false]);
    session.destroyed = true;
    jest.advanceTimersByTime(50);
    expect(socket.destroyed).toBe(true);
  });
});
