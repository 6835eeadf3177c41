import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import type { OutgoingMessage } from '../../../../lib/wire/exchange.js';
import { LineWriter } from '../../../../lib/transports/stdio/line.writer.js';
import type { StdioHost } from '../../../../lib/transports/stdio/stdio-host.interface.js';
import { StdioTransport, type StdioEnd } from '../../../../lib/transports/stdio/stdio.transport.js';
import { HeldOutput } from '../../../support/held-output.js';
import { ManualClock } from '../../../support/manual-clock.js';

interface Listener {
  next(message: OutgoingMessage): void;
  complete(): void;
}

/** A request that runs until the test lets it answer. */
class Running {
  listener: Listener | undefined;
  readonly seen: string[] = [];

  constructor(readonly line: string) {}

  subscribe(listener: Listener): void {
    this.listener = listener;
  }

  unsubscribe(): void {
    this.seen.push('unsubscribed');
  }

  dismiss(): void {
    this.seen.push('dismissed');
    this.answer('"dismissed"');
  }

  answer(json: string): void {
    this.listener?.next({ kind: 'response', json, status: 200 });
    this.listener?.complete();
  }
}

/** Takes every line as a request, whose id is the line itself. */
class Exchanges {
  readonly running: Running[] = [];

  subscriptionPlaces(): undefined {
    return undefined;
  }

  prepare(exchange: { body(): { bytes: Uint8Array } }): unknown {
    const line = Buffer.from(exchange.body().bytes).toString();
    if (line === 'refused') return { kind: 'refused', refusal: { status: 400, body: '"refused"' } };
    if (line === 'unawaited') return { kind: 'refused', refusal: { status: 400, body: '"refused"', unawaited: true } };
    if (line === 'broken') throw new Error('a detail that stays inside');
    if (line.startsWith('cancel ')) return { kind: 'accepted', cancels: { id: line.slice('cancel '.length) } };
    const prepared = { kind: 'request', request: { id: line } };
    return line === 'later' ? Promise.resolve(prepared) : prepared;
  }

  accept(): void {}

  stream({ request }: { request: { id: string } }): Running {
    const running = new Running(request.id);
    this.running.push(running);
    return running;
  }
}

const DRAIN_MS = 40;

function serve(input = new PassThrough()) {
  const [output, exchanges] = [new HeldOutput(), new Exchanges()];
  const writer = new LineWriter(output, { writeTimeoutMs: 5_000, maxQueuedBytes: 100 }, new ManualClock());
  const completeSubscriptions = jest.fn();
  const host = {
    exchanges,
    properties: { auth: 'user', cancellationScope: 'scope' },
    drainTimeoutMs: DRAIN_MS,
    completeSubscriptions,
  };
  const settings = { auth: undefined, maxLineBytes: 1_000, maxSubscriptions: 1, drainTimeoutMs: undefined };
  const transport = new StdioTransport(host as unknown as StdioHost, { input, writer }, settings);
  const ends: StdioEnd[] = [];
  void transport.serve().then((end) => ends.push(end));
  return { input, output, exchanges, transport, completeSubscriptions, ends };
}

let error: ReturnType<typeof jest.spyOn>;

describe('StdioTransport', () => {
  beforeEach(() => {
    error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  });

  afterEach(() => error.mockRestore());

  describe('StdioTransport', () => {
    it('answers requests in the order in which they are done', async () => {
      const { input, output, exchanges } = serve();
      input.write('one\ntwo\n');
      await nextTurn();
      exchanges.running[1]?.answer('"two"');
      exchanges.running[0]?.answer('"one"');
      await nextTurn();
      expect(output.text).toBe('"two"\n"one"\n');
    });

    it('answers a request that never runs, unless it is a notification', async () => {
      const { input, output } = serve();
      input.write('refused\nunawaited\n');
      await nextTurn();
      expect(output.text).toBe('"refused"\n');
    });

    it('answers a line that is too long, and one that breaks the library, without an id', async () => {
      const { input, output, exchanges } = serve();
      input.write(`${'x'.repeat(2_000)}\nbroken\nlater\n`);
      await nextTurn();
      const [long, broken] = output.text
        .split('\n')
        .map((line): unknown => (line === '' ? undefined : JSON.parse(line)));
      expect(long).toEqual({ jsonrpc: '2.0', error: { code: -32600, message: 'The line is too long' } });
      expect(broken).toEqual({
        jsonrpc: '2.0',
        error: { code: -32603, message: 'Internal error', data: { reference: expect.any(String) } },
      });
      expect(exchanges.running.map(({ line }) => line)).toEqual(['later']);
      expect(error).toHaveBeenCalledTimes(1);
    });

    it('sends nothing more of a request that was cancelled while its answer waited', async () => {
      const { input, output, exchanges } = serve();
      input.write('one\ntwo\nthree\n');
      await nextTurn();
      exchanges.running[0]?.answer('1');
      await nextTurn();
      for (const [index, running] of exchanges.running.slice(1).entries()) running.answer(String(index + 2));
      input.write('cancel two\n');
      await nextTurn();
      output.takeAll();
      expect(output.text).toBe('1\n3\n');
    });

    it('reads no further while the client takes nothing', async () => {
      const { input, output, exchanges } = serve();
      input.write('one\n');
      await nextTurn();
      expect(input.isPaused()).toBe(false);
      exchanges.running[0]?.answer(`"${'x'.repeat(200)}"`);
      input.write('two\n');
      await nextTurn();
      expect(input.isPaused()).toBe(true);
      input.write('three\n');
      await nextTurn();
      expect(exchanges.running.map(({ line }) => line)).toEqual(['one', 'two']);
      output.takeAll();
      await nextTurn();
      expect(exchanges.running.map(({ line }) => line)).toEqual(['one', 'two', 'three']);
    });

    it('finishes running calls at the end of the input, including its last line', async () => {
      const { input, output, exchanges, transport, completeSubscriptions, ends } = serve();
      input.end('one\ntwo');
      await nextTurn();
      await nextTurn();
      expect(ends).toEqual(['input-ended']);
      const finished = transport.finish();
      expect(completeSubscriptions).toHaveBeenCalledTimes(1);
      for (const running of exchanges.running) running.answer(`"${running.line}"`);
      await nextTurn();
      output.takeAll();
      expect(await finished).toBe(true);
      expect(output.text).toBe('"one"\n"two"\n');
    });

    it('dismisses what takes too long then', async () => {
      const { input, output, exchanges, transport } = serve();
      input.end('one\n');
      await nextTurn();
      const finished = transport.finish();
      const taking = setInterval(() => output.takeAll(), 1);
      expect(await finished).toBe(true);
      clearInterval(taking);
      expect(exchanges.running[0]?.seen).toEqual(['dismissed']);
      expect(output.text).toBe('"dismissed"\n');
    });

    it.each(['error', 'close'])('takes an input with "%s" for one that has ended', async (event) => {
      const { input, ends } = serve();
      input.emit(event, new Error('EIO'));
      await nextTurn();
      expect(ends).toEqual(['input-ended']);
    });

    it('takes an input that has ended before for one, too', async () => {
      const input = new PassThrough();
      input.destroy();
      const { ends } = serve(input);
      await nextTurn();
      expect(ends).toEqual(['input-ended']);
    });

    it('handles an empty input that ends at any moment', async () => {
      const finished: boolean[] = [];
      for (let time = 0; time < 100; time += 1) {
        const input = new PassThrough();
        if (time % 4 === 0) input.end();
        if (time % 8 === 0) await nextTurn();
        const { ends, transport } = serve(input);
        if (time % 4 === 1) input.end();
        if (time % 4 === 2) setImmediate(() => input.end());
        if (time % 4 === 3) input.destroy();
        await nextTurn();
        await nextTurn();
        expect(ends).toEqual(['input-ended']);
        finished.push(await transport.finish());
      }
      expect(finished).toEqual(Array.from({ length: 100 }, () => true));
    });

    it('cancels all calls when the output cannot be written', async () => {
      const { input, output, exchanges, transport, ends } = serve();
      input.write('one\ntwo\n');
      await nextTurn();
      output.emit('error', new Error('EPIPE'));
      await nextTurn();
      expect(ends).toEqual(['output-failed']);
      expect(exchanges.running.map(({ seen }) => seen)).toEqual([['unsubscribed'], ['unsubscribed']]);
      input.write('three\n');
      await nextTurn();
      expect(exchanges.running).toHaveLength(2);
      expect(await transport.finish()).toBe(false);
    });
  });
});
