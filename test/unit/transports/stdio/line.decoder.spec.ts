import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { LineDecoder, type LineEvent } from '../../../../lib/transports/stdio/line.decoder.js';

const LIMIT = 16;

const texts = (events: readonly LineEvent[]): string[] =>
  events.map((event) => (event === 'too-long' ? '<too long>' : Buffer.from(event).toString()));

/** What comes of these chunks, and of the end after them. */
function decode(chunks: readonly Uint8Array[], limit = LIMIT): string[] {
  const decoder = new LineDecoder(limit);
  const events = chunks.flatMap((chunk) => texts(decoder.push(chunk)));
  return [...events, ...texts(decoder.end())];
}

const bytes = (text: string): Buffer => Buffer.from(text);

/** The same bytes, cut anew at some places. */
function cut(whole: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (whole.length + 1)), whole.length].sort((one, other) => one - other);
  return ends.map((end, index) => whole.subarray(ends[index - 1] ?? 0, end));
}

describe('LineDecoder', () => {
  it.each([
    ['several lines of one chunk', ['one\ntwo\n'], ['one', 'two']],
    ['a line of several chunks', ['o', 'n', 'e\n', 'tw', 'o\n'], ['one', 'two']],
    ['the last line without its end', ['one\ntwo'], ['one', 'two']],
    ['nothing', [], []],
    ['lines of Windows, with what JSON reads past', ['{}\r\n[]\r\n'], ['{}\r', '[]\r']],
    ['blank lines', ['\n\r\n \t\n\ufeff\n1\n\n'], ['1']],
    ['a byte order mark, for the decoder of JSON', ['\ufeff{}\n'], ['\ufeff{}']],
  ])('cuts %s', (_name, chunks, lines) => {
    expect(decode(chunks.map(bytes))).toEqual(lines);
  });

  it.each([
    ['that fits with its end', 'x'.repeat(LIMIT - 1), 'x'.repeat(LIMIT - 1)],
    ['that fits without', 'x'.repeat(LIMIT), '<too long>'],
    ['that is far too long', 'x'.repeat(LIMIT * 5), '<too long>'],
  ])('tells once of a line %s, and goes on with the next', (_name, line, told) => {
    expect(decode([bytes(`${line}\nnext\n`)])).toEqual([told, 'next']);
    expect(decode(`${line}\nnext\n`.split('').map(bytes))).toEqual([told, 'next']);
    expect(decode([bytes(line)])).toEqual([told]);
  });

  it('reports a line that is too long while it arrives', () => {
    const decoder = new LineDecoder(LIMIT);
    expect(texts(decoder.push(bytes('x'.repeat(LIMIT - 1))))).toEqual([]);
    expect(texts(decoder.push(bytes('x')))).toEqual(['<too long>']);
    expect(texts(decoder.push(bytes('x'.repeat(LIMIT))))).toEqual([]);
    expect(texts(decoder.push(bytes('x\nnext\n')))).toEqual(['next']);
  });

  it('never holds more than its limit, for chunks of any size', () => {
    const limit = 100_000;
    for (const size of [1_000, 30_011, 99_999, 250_000]) {
      const decoder = new LineDecoder(limit);
      for (let sent = 0; sent < 10 * limit; sent += size) {
        decoder.push(new Uint8Array(size).fill(0x78));
        expect(decoder.capacity).toBeLessThanOrEqual(limit);
      }
      expect(decoder.capacity).toBe(0);
    }
  });

  it('drops a line on request', () => {
    const decoder = new LineDecoder(LIMIT);
    decoder.push(bytes('one'));
    const [first] = decoder.push(bytes('!\ntwo'));
    decoder.push(bytes('?\n'));
    expect(texts([first ?? 'too-long'])).toEqual(['one!']);
    expect(decoder.capacity).toBe(0);
  });

  const line = fc.oneof(
    fc.constantFrom('', '\r', ' ', '\ufeff', '{}', '{}\r', 'é'.repeat(7), 'x'.repeat(LIMIT - 1), 'x'.repeat(LIMIT)),
    fc.string({ unit: 'binary', maxLength: 3 * LIMIT }),
  );

  it('returns the same lines for all chunk boundaries', () => {
    fc.assert(
      fc.property(fc.array(line), fc.boolean(), fc.array(fc.nat(), { maxLength: 20 }), (lines, ends, places) => {
        const whole = bytes(lines.join('\n') + (ends ? '\n' : ''));
        expect(decode(cut(whole, places))).toEqual(decode([whole]));
      }),
    );
  });

  it('returns the lines that are neither blank nor too long, in order, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(), { maxLength: 10 }), (whole, places) => {
        const lines = Buffer.from(whole).toString('latin1').split('\n');
        const expected = lines
          .filter((text) => text.length >= LIMIT || /[^ \t\r\u00ef\u00bb\u00bf]/.test(text))
          .map((text) => (text.length >= LIMIT ? '<too long>' : Buffer.from(text, 'latin1').toString()));
        expect(decode(cut(whole, places))).toEqual(expected);
      }),
    );
  });
});
