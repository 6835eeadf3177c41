import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { of, Subject } from 'rxjs';

import type { HttpAnswer, HttpPlatform } from '../../../../lib/transports/node-http/http-platform.js';
import { ReplyRoom, type ReplyLimits } from '../../../../lib/transports/node-http/reply-room.js';
import { ReplyWriter } from '../../../../lib/transports/node-http/json-or-event-stream.writer.js';
import type { OutgoingMessage, ReplyForms } from '../../../../lib/wire/exchange.js';

const BOTH: ReplyForms = { json: true, sse: true };
const answer: OutgoingMessage = { kind: 'response', json: '{"answer":1}', status: 200 };
const silence: OutgoingMessage = { kind: 'nothing', json: '', status: 204 };
const update: OutgoingMessage = { kind: 'notification', json: '{"update":1}', status: 200 };

/** A response that only notes what is written. */
class Response extends EventEmitter {
  readonly written: string[] = [];
  headersSent = false;
  writableEnded = false;
  writableLength = 0;
  destroyed = false;
  shouldKeepAlive = true;
  /** None while an earlier answer of the connection is not finished. */
  socket: Socket | null = new Socket();
  readonly req = { socket: this.socket as Socket };
  /** Whether the write buffer has reached its high-water mark. */
  isFull = false;
  private readonly flushes: (() => void)[] = [];

  /** Its turn has come. */
  assign(): void {
    this.socket = this.req.socket;
    this.emit('socket', this.socket);
  }

  write(text: string, flushed?: () => void): boolean {
    this.written.push(text);
    if (flushed !== undefined) this.flushes.push(flushed);
    return !this.isFull;
  }

  end(text?: string): void {
    if (text !== undefined) this.written.push(text);
    this.writableEnded = true;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }

  flush(): void {
    for (const flushed of this.flushes.splice(0)) flushed();
  }
}

class Platform implements HttpPlatform {
  readonly sent: HttpAnswer[] = [];
  readonly streams: Readonly<Record<string, string>>[] = [];
  /** Names of headers that the app has set. */
  readonly set: string[] = [];

  hasHeader(_response: unknown, name: string): boolean {
    return this.set.includes(name);
  }

  mount(): void {}

  rawRequest(): never {
    throw new Error('not asked for');
  }

  rawResponse(response: unknown): never {
    return response as never;
  }

  send(response: unknown, sent: HttpAnswer): void {
    this.sent.push(sent);
    (response as Response).headersSent = true;
    (response as Response).writableEnded = true;
  }

  openStream(response: unknown, _status: number, headers: Readonly<Record<string, string>>): never {
    this.streams.push(headers);
    (response as Response).headersSent = true;
    return response as never;
  }

  consumedBody(): undefined {
    return undefined;
  }
}

function setUp(forms: ReplyForms = BOTH, limits: Partial<ReplyLimits> = {}) {
  const [platform, response] = [new Platform(), new Response()];
  const room = new ReplyRoom({ keepAliveMs: 1_000, writeTimeoutMs: 100, ...limits });
  return { platform, response, replies: room.replies, writer: new ReplyWriter(platform, response, forms, room) };
}

describe('ReplyWriter', () => {
  it('writes a synchronous answer without a promise', () => {
    const { platform, replies, writer } = setUp();
    expect(writer.write(of(answer))).toBeUndefined();
    expect(platform.sent).toEqual([
      { status: 200, headers: { 'content-type': 'application/json' }, body: '{"answer":1}' },
    ]);
    expect(replies.size).toBe(0);
  });

  it('omits headers that the app has set', () => {
    const { platform, writer } = setUp();
    platform.set.push('www-authenticate');
    void writer.write(of({ ...answer, status: 401, headers: { 'www-authenticate': 'Bearer', 'retry-after': '1' } }));
    expect(platform.sent).toMatchObject([
      { status: 401, headers: { 'content-type': 'application/json', 'retry-after': '1' } },
    ]);
    expect(platform.sent[0]?.headers).not.toHaveProperty('www-authenticate');
  });

  it('counts an answer as open until its bytes have left', () => {
    const { response, replies, writer } = setUp();
    response.writableLength = 100;
    expect(writer.write(of(answer))).toBeUndefined();
    expect(replies.size).toBe(1);
    response.emit('close');
    expect(replies.size).toBe(0);
  });

  it('opens a stream with the first update and ends it with the answer', async () => {
    const { platform, response, replies, writer } = setUp();
    const messages = new Subject<OutgoingMessage>();
    const written = writer.write(messages);
    messages.next(update);
    messages.next(answer);
    await written;
    expect(platform.sent).toEqual([]);
    expect(platform.streams).toHaveLength(1);
    expect(response.written).toEqual([
      'event: message\ndata: {"update":1}\n\n',
      'event: message\ndata: {"answer":1}\n\n',
    ]);
    response.emit('close');
    expect(replies.size).toBe(0);
  });

  it('streams to those who take nothing else, unless the status matters', () => {
    const streaming = setUp({ json: false, sse: true });
    void streaming.writer.write(of(answer));
    expect(streaming.response.written).toEqual(['event: message\ndata: {"answer":1}\n\n']);
    const refusing = setUp({ json: false, sse: true });
    void refusing.writer.write(of({ ...answer, status: 400 }));
    expect(refusing.platform.sent).toMatchObject([{ status: 400 }]);
  });

  it('unsubscribes when the response closes before the answer, and resolves', async () => {
    const { response, replies, writer } = setUp();
    const messages = new Subject<OutgoingMessage>();
    const written = writer.write(messages);
    expect([messages.observed, replies.size]).toEqual([true, 1]);
    response.emit('close');
    await written;
    expect([messages.observed, replies.size]).toEqual([false, 0]);
  });

  it('does not subscribe if the client has left', () => {
    const { response, writer } = setUp();
    response.destroyed = true;
    const messages = new Subject<OutgoingMessage>();
    expect(writer.write(messages)).toBeUndefined();
    expect(messages.observed).toBe(false);
  });

  it('writes nothing once the app has answered', () => {
    const { platform, response, writer } = setUp();
    const messages = new Subject<OutgoingMessage>();
    void writer.write(messages);
    response.headersSent = true;
    let acknowledged = 0;
    messages.next({ ...update, written: () => (acknowledged += 1) });
    messages.next(answer);
    expect([platform.sent, platform.streams, response.written]).toEqual([[], [], []]);
    expect(acknowledged).toBe(1);
  });

  it('acknowledges each update once: when it was written, or when the client has left', () => {
    const { response, writer } = setUp();
    const messages = new Subject<OutgoingMessage>();
    void writer.write(messages);
    const acknowledged: number[] = [];
    const send = (number: number): void => messages.next({ ...update, written: () => acknowledged.push(number) });
    send(1);
    expect(acknowledged).toEqual([1]);
    response.isFull = true;
    send(2);
    expect(acknowledged).toEqual([1]);
    response.flush();
    expect(acknowledged).toEqual([1, 2]);
    send(3);
    response.emit('close');
    response.flush();
    expect(acknowledged).toEqual([1, 2, 3]);
  });

  it('ends connections once the app is closing', () => {
    const { response, replies, writer } = setUp();
    replies.stop();
    void writer.write(of(answer));
    expect(response.shouldKeepAlive).toBe(false);
  });
});

describe('ReplyWriter behind an earlier answer of its connection', () => {
  it('writes nothing before its turn, and then everything in order', async () => {
    const { platform, response, writer } = setUp();
    response.socket = null;
    const messages = new Subject<OutgoingMessage>();
    const written = writer.write(messages);
    messages.next(update);
    messages.next(answer);
    expect([platform.streams, response.written]).toEqual([[], []]);
    response.assign();
    await written;
    expect(response.written).toHaveLength(2);
    const plain = setUp();
    plain.response.socket = null;
    void plain.writer.write(of(answer));
    expect([plain.platform.sent, plain.replies.size]).toEqual([[], 1]);
    plain.response.assign();
    expect(plain.platform.sent).toMatchObject([{ status: 200 }]);
  });

  it('ends with the connection, and acknowledges the messages that it held', async () => {
    const { response, replies, writer } = setUp();
    response.socket = null;
    const messages = new Subject<OutgoingMessage>();
    const written = writer.write(messages);
    let acknowledged = 0;
    messages.next({ ...update, written: () => (acknowledged += 1) });
    expect(acknowledged).toBe(0);
    response.req.socket.emit('close');
    await written;
    expect([acknowledged, messages.observed, replies.size]).toEqual([1, false, 0]);
  });

  it('does not subscribe on a closed connection', () => {
    const { response, writer } = setUp();
    response.socket = null;
    response.req.socket.destroy();
    const messages = new Subject<OutgoingMessage>();
    expect([writer.write(messages), messages.observed]).toEqual([undefined, false]);
  });
});

describe('ReplyWriter without an answer', () => {
  it('ends in silence, with a status where nothing was sent', () => {
    const { platform, writer } = setUp();
    void writer.write(of(silence));
    expect(platform.sent).toEqual([{ status: 204, headers: {}, body: '' }]);
  });

  it('ends a stream without another word', async () => {
    const { response, writer } = setUp();
    const messages = new Subject<OutgoingMessage>();
    const written = writer.write(messages);
    messages.next(update);
    messages.next(silence);
    await written;
    expect([response.written.length, response.writableEnded]).toEqual([1, true]);
  });
});

describe('ReplyWriter on the clock', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('writes keep-alive comments on an open stream, and keeps no timer', () => {
    const { response, writer } = setUp(BOTH, { writeTimeoutMs: 60_000 });
    const messages = new Subject<OutgoingMessage>();
    void writer.write(messages);
    jest.advanceTimersByTime(5_000);
    expect(response.written).toEqual([]);
    messages.next(update);
    jest.advanceTimersByTime(2_000);
    expect(response.written.slice(1)).toEqual([': keep-alive\n\n', ': keep-alive\n\n']);
    response.writableLength = 10;
    jest.advanceTimersByTime(2_000);
    expect(response.written).toHaveLength(3);
    messages.next(answer);
    response.emit('close');
    jest.advanceTimersByTime(1_000);
    expect([response.written.length, jest.getTimerCount()]).toEqual([4, 0]);
  });

  it('disconnects a client that does not read pending bytes', () => {
    const { response, writer } = setUp();
    const messages = new Subject<OutgoingMessage>();
    void writer.write(messages);
    messages.next(update);
    jest.advanceTimersByTime(1_000);
    expect(response.destroyed).toBe(false);
    response.writableLength = 10;
    jest.advanceTimersByTime(110);
    expect([response.destroyed, messages.observed]).toEqual([true, false]);
  });

  it('watches a plain answer only while bytes of it wait', () => {
    const quick = setUp();
    void quick.writer.write(of(answer));
    expect(jest.getTimerCount()).toBe(0);
    const slow = setUp();
    slow.response.writableLength = 10;
    void slow.writer.write(of(answer));
    jest.advanceTimersByTime(110);
    expect([slow.response.destroyed, jest.getTimerCount()]).toEqual([true, 0]);
  });

  it('turns a silent call into a stream that detects disconnects, if enabled', () => {
    const { platform, response, writer } = setUp(BOTH, { disconnectProbeMs: 300 });
    const messages = new Subject<OutgoingMessage>();
    void writer.write(messages);
    jest.advanceTimersByTime(299);
    expect(platform.streams).toEqual([]);
    jest.advanceTimersByTime(301);
    expect(response.written).toEqual([': keep-alive\n\n', ': keep-alive\n\n']);
    messages.next(answer);
    expect(response.written.at(-1)).toContain('{"answer":1}');
    response.emit('close');
    jest.advanceTimersByTime(300);
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([
    ['the answer came before', BOTH, 300],
    ['the client takes no stream', { json: true, sse: false }, 300],
    ['nobody asked for it', BOTH, undefined],
  ])('stays plain when %s', (_name, forms, disconnectProbeMs) => {
    const { platform, writer } = setUp(forms, disconnectProbeMs === undefined ? {} : { disconnectProbeMs });
    const messages = new Subject<OutgoingMessage>();
    void writer.write(messages);
    if (forms.sse && disconnectProbeMs !== undefined) messages.next(answer);
    jest.advanceTimersByTime(10_000);
    expect([platform.streams, jest.getTimerCount()]).toEqual([[], 0]);
  });
});
