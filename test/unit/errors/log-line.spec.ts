import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { logError, messageOf, stackOf, toLine, warn } from '../../../lib/errors/log-line.js';

describe('a log line', () => {
  it.each([
    ['plain words, Grüße 🦊', 'plain words, Grüße 🦊'],
    ['one\n[Nest] 1  - LOG forged', String.raw`one\n[Nest] 1  - LOG forged`],
    ['one\r\ntwo\tthree', String.raw`one\r\ntwo\tthree`],
    ['\u001b[2J\u0007\u0000\u007f\u009b', String.raw`\u001b[2J\u0007\u0000\u007f\u009b`],
    ['a\u2028b\u2029c', String.raw`a\u2028b\u2029c`],
    ['nimda\u202eadmin\u2066', String.raw`nimda\u202eadmin\u2066`],
  ])('contains no line break and no control character: %j', (text, line) => {
    expect(toLine(text)).toBe(line);
  });

  it('is cut, and contains the original length', () => {
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
  ])('contains the message of any thrown value (%#)', (error, words) => {
    expect(messageOf(error)).toBe(words);
  });

  it.each([null, 'text', { stack: 5 }])('has no stack when the thrown value has no stack (%#)', (error) => {
    expect(stackOf(error)).toBeUndefined();
  });
});

describe('a logged stack', () => {
  const framesOf = (text: string | undefined): string[] => (text ?? '').split('\n').slice(1);

  it('contains the message on one line, and then the frames', () => {
    const error = new Error('bad\n[Nest] 1  - LOG forged\n    at forged (/etc/passwd:1:1)\u001b[2J');
    const [head, ...frames] = (stackOf(error) ?? '').split('\n');
    expect(head).toBe(String.raw`Error: bad\n[Nest] 1  - LOG forged\n    at forged (/etc/passwd:1:1)\u001b[2J`);
    expect(frames.length).toBeGreaterThan(0);
    for (const frame of frames) expect(frame).toMatch(/^ {4}at /);
  });

  it('escapes or marks lines that are not frames', () => {
    expect(stackOf({ message: 'later', stack: 'Error: first\nforged\n    at a (b:1:1)' })).toBe(
      'Error: first\\nforged\n    at a (b:1:1)',
    );
    expect(stackOf({ message: 'm', stack: 'Error: m\n    at a (b:1:1)\nforged\n    at c (d:1:1)' })).toBe(
      'Error: m\n    at a (b:1:1)\n    | forged\n    at c (d:1:1)',
    );
  });

  it('is one line when there are no frames', () => {
    expect(stackOf({ stack: 'odd\nforged' })).toBe(String.raw`odd\nforged`);
  });

  it('is cut when it is too long', () => {
    const stack = `Error: m\n${'    at a (b:1:1)\n'.repeat(2_000)}`;
    const text = stackOf({ message: 'm', stack });
    expect(text).toHaveLength(8_192 + `… (cut, ${stack.length} characters in all)`.length);
    const long = stackOf(new Error('x'.repeat(1_000_000)));
    expect(long?.length).toBeLessThan(12_000);
    expect(framesOf(long)[0]).toMatch(/^ {4}at /);
  });
});

describe('a logger of the app', () => {
  it('may throw, and the caller gets no error', () => {
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
