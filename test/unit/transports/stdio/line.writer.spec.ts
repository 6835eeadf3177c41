import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { LineWriter } from '../../../../lib/transports/stdio/line.writer.js';
import { HeldOutput } from '../../../support/held-output.js';
import { ManualClock } from '../../../support/manual-clock.js';

const LIMITS = { writeTimeoutMs: 5_000, maxQueuedBytes: 1_000 };

function held() {
  const [output, clock] = [new HeldOutput(), new ManualClock()];
  const writer = new LineWriter(output, LIMITS, clock);
  const failures: string[] = [];
  writer.onFailure = ({ message }) => failures.push(message);
  return { output, clock, writer, failures };
}

describe('LineWriter', () => {
  it('joins lines of the same turn to one write, and has one write at a time', async () => {
    const { output, writer } = held();
    writer.write('1');
    await Promise.resolve().then(() => writer.write('2'));
    await nextTurn();
    expect(output.writes).toEqual(['1\n2\n']);
    writer.write('3');
    writer.write('"é"');
    await nextTurn();
    expect(output.writes).toHaveLength(1);
    output.takeAll();
    expect(output.writes).toEqual(['1\n2\n', '3\n"\\u00e9"\n']);
  });

  it('notifies the sender after its line was written', async () => {
    const { output, writer } = held();
    const told: string[] = [];
    writer.write('1', 1, () => told.push('first'));
    await nextTurn();
    writer.write('2', 2, () => told.push('second'));
    expect(told).toEqual([]);
    output.take();
    expect(told).toEqual(['first']);
    output.take();
    expect(told).toEqual(['first', 'second']);
  });

  it('writes a large line in pieces, whole before the next', async () => {
    const { output, writer } = held();
    const large = `"${'x'.repeat(300_000)}"`;
    const told: string[] = [];
    writer.write(large, 1, () => told.push('large'));
    await nextTurn();
    writer.write('2');
    output.take();
    expect(told).toEqual([]);
    writer.drop(1);
    output.takeAll();
    expect(told).toEqual(['large']);
    expect(output.text).toBe(`${large}\n2\n`);
    expect(Math.max(...output.writes.map((text) => text.length))).toBeLessThan(200_000);
  });

  it.each([131_070, 131_071, 131_072, 131_073, 262_143, 262_144])(
    'ends a line of %d characters once',
    async (length) => {
      const { output, writer } = held();
      const line = `"${'x'.repeat(length - 2)}"`;
      const told: string[] = [];
      writer.write('1');
      writer.write(line, 1, () => told.push('line'));
      writer.write('2', 2, () => told.push('2'));
      await nextTurn();
      output.takeAll();
      expect(output.text).toBe(`1\n${line}\n2\n`);
      expect(told).toEqual(['line', '2']);
      await writer.idle();
    },
  );

  it('forgets what waits for a request, and nothing else', async () => {
    const { output, writer } = held();
    const told: string[] = [];
    writer.write('0');
    await nextTurn();
    writer.write('1', 'a', () => told.push('a'));
    writer.write('2', 'b');
    writer.write('3', 'a');
    writer.drop('a');
    expect(told).toEqual(['a']);
    writer.write('4', 'a');
    output.takeAll();
    expect(output.text).toBe('0\n2\n4\n');
  });

  it('gives the reader its time anew with every piece that it takes', async () => {
    const { output, clock, writer, failures } = held();
    writer.write(`"${'x'.repeat(400_000)}"`);
    await nextTurn();
    for (let piece = 0; piece < 3; piece += 1) {
      clock.advance(LIMITS.writeTimeoutMs - 1);
      output.take();
    }
    expect(failures).toEqual([]);
    clock.advance(LIMITS.writeTimeoutMs);
    expect(failures).toEqual(['The reader of the output took nothing for 5000 ms']);
    expect(clock.pending).toBe(0);
  });

  it('does not wait if nothing is pending', async () => {
    const { output, clock, writer, failures } = held();
    writer.write('1');
    await nextTurn();
    output.takeAll();
    expect(clock.pending).toBe(0);
    clock.advance(10 * LIMITS.writeTimeoutMs);
    expect(failures).toEqual([]);
  });

  it.each([
    ['an error of a write', (output: HeldOutput) => output.take(new Error('EPIPE')), 'EPIPE'],
    ['an error of the stream', (output: HeldOutput) => output.emit('error', new Error('EIO')), 'EIO'],
    ['a stream that closes', (output: HeldOutput) => output.emit('close'), 'The output was closed'],
  ])('ends with %s: told once, nothing is tried again', async (_name, strike, message) => {
    const { output, writer, failures } = held();
    const told: number[] = [];
    writer.write('1', 1, () => told.push(1));
    await nextTurn();
    writer.write('2', 2, () => told.push(2));
    strike(output);
    output.emit('error', new Error('once more'));
    writer.write('3', 3, () => told.push(3));
    await nextTurn();
    expect(failures).toEqual([message]);
    expect(writer.failure?.message).toBe(message);
    expect(output.writes).toEqual(['1\n']);
    expect(told).toEqual([1, 2, 3]);
  });

  it('ends with an output that throws', async () => {
    const { output, writer, failures } = held();
    writer.write('1');
    await nextTurn();
    writer.write('2');
    output.write = () => {
      throw new Error('ENOSPC');
    };
    output.take();
    expect(failures).toEqual(['ENOSPC']);
  });

  it('asks no sender for more once nothing can be written', async () => {
    const { output, writer } = held();
    const order: string[] = [];
    writer.onFailure = () => order.push('failure');
    writer.write('1', 1, () => order.push('written'));
    await nextTurn();
    output.take(new Error('EPIPE'));
    expect(order).toEqual(['failure', 'written']);
  });

  it('says when too much waits, and when half of it is gone', async () => {
    const { output, writer } = held();
    let reliefs = 0;
    writer.onRelief = () => {
      reliefs += 1;
    };
    const line = `"${'x'.repeat(397)}"`;
    for (let count = 0; count < 2; count += 1) writer.write(line);
    expect(writer.isCongested).toBe(false);
    writer.write(line);
    expect(writer.isCongested).toBe(true);
    await nextTurn();
    expect([writer.isCongested, reliefs]).toEqual([true, 0]);
    output.take();
    expect([writer.isCongested, reliefs]).toEqual([false, 1]);
  });

  it('is idle when all is written, or nothing can be', async () => {
    const { output, writer } = held();
    await writer.idle();
    const order: string[] = [];
    writer.write('1');
    const idle = writer.idle().then(() => order.push('idle'));
    await nextTurn();
    order.push('taken');
    output.takeAll();
    await idle;
    expect(order).toEqual(['taken', 'idle']);
    writer.write('2');
    const failed = writer.idle();
    output.emit('error', new Error('EPIPE'));
    await failed;
    await writer.idle();
  });

  it('works with the streams of Node, and never ends them', async () => {
    const output = new PassThrough();
    const writer = new LineWriter(output, LIMITS);
    for (let count = 0; count < 100; count += 1) writer.write(String(count));
    await writer.idle();
    expect(String(output.read())).toBe(Array.from({ length: 100 }, (_, count) => `${count}\n`).join(''));
    expect(output.writableEnded).toBe(false);

    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('ENOSPC')) });
    const failing = new LineWriter(full, LIMITS);
    failing.write('1');
    await failing.idle();
    expect(failing.failure?.message).toBe('ENOSPC');
  });
});
