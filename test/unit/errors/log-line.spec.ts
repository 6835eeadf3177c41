import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { logError, messageOf, stackOf, toLine, warn } from '../../../lib/errors/log-line.js';

describe('a line of a log', () => {
  it.each([
    ['plain words, Grüße 🦊', 'plain words, Grüße 🦊'],
    ['one\n[Nest] 1  - LOG forged', String.raw`one\n[Nest] 1  - LOG forged`],
    ['one\r\ntwo\tthree', String.raw`one\r\ntwo\tthree`],
    ['\u001b[2J\u0007\u0000\u007f\u009b', String.raw`\u001b[2J\u0007\u0000\u007f\u009b`],
    ['a\u2028b\u2029c', String.raw`a\u2028b\u2029c`],
    ['nimda\u202eadmin\u2066', String.raw`nimda\u202eadmin\u2066`],
  ])('holds no line break and no control character: %j', (text, line) => {
    expect(toLine(text)).toBe(line);
  });

  it('is cut, and says how long it was', () => {
    expect(toLine('x'.repeat(2_048))).toBe('x'.repeat(2_048));
    expect(toLine('x'.repeat(5_000))).toBe(`${'x'.repeat(2_048)}… (cut, 5000 characters in all)`);
    expect(toLine('\0'.repeat(2_000))).toMatch(/^(\\u0000)+\\u… \(cut, 12000 characters in all\)$/);
  });

  it.each([
    [new Error('words'), 'words'],
    ['words', 'words'],
    [null, 'object'],
    [undefined, 'undefined'],
    [Symbol('secret'), 'symbol'],
    [{ message: 5 }, 'object'],
    [
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('no');
          },
        },
      ),
      'object',
    ],
  ])('has the words of whatever was thrown (%#)', (error, words) => {
    expect(messageOf(error)).toBe(words);
  });

  it.each([null, 'text', { stack: 5 }])('has a stack only where there is one (%#)', (error) => {
    expect(stackOf(error)).toBeUndefined();
  });
});

describe('a stack in a log', () => {
  const framesOf = (text: string | undefined): string[] => (text ?? '').split('\n').slice(1);

  it('keeps its own lines, and no others', () => {
    const error = new Error('bad\n[Nest] 1  - LOG forged\n    at forged (/etc/passwd:1:1)\u001b[2J');
    const [head, ...frames] = (stackOf(error) ?? '').split('\n');
    expect(head).toBe(String.raw`Error: bad\n[Nest] 1  - LOG forged\n    at forged (/etc/passwd:1:1)\u001b[2J`);
    expect(frames.length).toBeGreaterThan(0);
    for (const frame of frames) expect(frame).toMatch(/^ {4}at /);
  });

  it('sets off what is no frame, where the message was changed later', () => {
    expect(stackOf({ message: 'later', stack: 'Error: first\nforged\n    at a (b:1:1)' })).toBe(
      'Error: first\\nforged\n    at a (b:1:1)',
    );
    expect(stackOf({ message: 'm', stack: 'Error: m\n    at a (b:1:1)\nforged\n    at c (d:1:1)' })).toBe(
      'Error: m\n    at a (b:1:1)\n    | forged\n    at c (d:1:1)',
    );
  });

  it('is a line where it has no frames', () => {
    expect(stackOf({ stack: 'odd\nforged' })).toBe(String.raw`odd\nforged`);
  });

  it('is cut', () => {
    const stack = `Error: m\n${'    at a (b:1:1)\n'.repeat(2_000)}`;
    const text = stackOf({ message: 'm', stack });
    expect(text).toHaveLength(8_192 + `… (cut, ${stack.length} characters in all)`.length);
    const long = stackOf(new Error('x'.repeat(1_000_000)));
    expect(long?.length).toBeLessThan(12_000);
    expect(framesOf(long)[0]).toMatch(/^ {4}at /);
  });
});

describe('a logger of the app', () => {
  it('may throw, and nothing else suffers', () => {
    class Broken extends Logger {
      override warn(): void {
        throw new Error('disk full');
      }
      override error(): void {
        throw new Error('disk full');
      }
    }
    expect(() => {
      warn(new Broken(), 'x');
      logError(new Broken(), 'x', 'stack');
    }).not.toThrow();
  });
});
