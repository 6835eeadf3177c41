import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { UnsafePathError } from '../../../lib/errors/unsafe-path.error.js';
import { safeJoin } from '../../../lib/uri/safe-join.js';

const ROOTS = ['/srv/data', 'C:\\data', '\\\\server\\share\\data'];

function refusalOf(root: string, value: string | string[]): UnsafePathError {
  try {
    safeJoin(root, value);
  } catch (error) {
    return error as UnsafePathError;
  }
  throw new Error('the path was accepted');
}

/** The joined path, or the name of the error. */
function outcomeOf(root: string, value: string): string {
  try {
    return safeJoin(root, value);
  } catch (error) {
    return (error as Error).name;
  }
}

describe('safeJoin', () => {
  it.each<[string, string | string[], string]>([
    ['/srv/data', 'a.txt', '/srv/data/a.txt'],
    ['/srv/data', 'a/b/c.txt', '/srv/data/a/b/c.txt'],
    ['/srv/data/', 'a', '/srv/data/a'],
    ['/srv/../data', 'a', '/data/a'],
    ['/', 'etc/hosts', '/etc/hosts'],
    ['/srv/data', ['a', 'b.txt'], '/srv/data/a/b.txt'],
    ['/srv/data', '...', '/srv/data/...'],
    ['/srv/data', '..a/b..', '/srv/data/..a/b..'],
    ['/srv/data', '%2e%2e', '/srv/data/%2e%2e'],
    ['/srv/data', 'ab:c', '/srv/data/ab:c'],
    ['/srv/data', 'con', '/srv/data/con'],
    ['C:\\data', 'a/b.txt', 'C:\\data\\a\\b.txt'],
    ['C:/data', 'a/b.txt', 'C:\\data\\a\\b.txt'],
    ['C:\\', 'a', 'C:\\a'],
    ['\\\\server\\share\\data', 'a', '\\\\server\\share\\data\\a'],
    ['C:\\data', 'console.log', 'C:\\data\\console.log'],
  ])('puts under %s the path %j', (root, value, joined) => {
    expect(safeJoin(root, value)).toBe(joined);
  });

  it('resolves a relative root against the working directory', () => {
    expect(safeJoin('files', 'a')).toBe(path.resolve('files', 'a'));
  });

  describe.each(ROOTS)('under %s', (root) => {
    it.each<[string | string[], RegExp]>([
      ['', /empty/],
      [[], /empty/],
      ['..', /dot segment/],
      ['.', /dot segment/],
      ['../etc/passwd', /dot segment/],
      ['a/../../etc', /dot segment/],
      ['a/..', /dot segment/],
      ['./a', /dot segment/],
      [['a', '..', '..', 'b'], /dot segment/],
      [['a', '../../b'], /dot segment/],
      ['/etc/passwd', /absolute/],
      ['//server/share', /absolute/],
      ['C:/windows', /absolute/],
      ['c:', /absolute/],
      ['C:..', /absolute/],
      ['..\\etc', /backslash/],
      ['\\etc', /backslash/],
      ['a\\..\\..\\b', /backslash/],
      ['\\\\?\\C:\\x', /backslash/],
      ['a\0.txt', /NUL/],
      ['a//b', /empty segment/],
      ['a/', /empty segment/],
      [['', 'a'], /absolute/],
    ])('refuses %j', (value, message) => {
      const error = refusalOf(root, value);
      expect(error.name).toBe('UnsafePathError');
      expect(error.code).toBe('MCP_UNSAFE_PATH');
      expect(error.message).toMatch(message);
      expect(error.message).not.toContain('data');
    });
  });

  it.each<[string, RegExp]>([
    ['a.txt:stream', /colon/],
    ['a/D:b', /colon/],
    ['.. /x', /dot or a space/],
    ['a./b', /dot or a space/],
    ['...', /dot or a space/],
    ['nul', /device/],
    ['a/CON', /device/],
    ['com1.txt', /device/],
    ['lpt9', /device/],
  ])('refuses %j under a Windows root', (value, message) => {
    expect(refusalOf('C:\\data', value).message).toMatch(message);
  });

  it('names its own mistake when the root is empty', () => {
    expect(() => safeJoin('', 'a')).toThrow(/root directory/);
  });

  it('never resolves outside the root, for any value', () => {
    const pieces = fc.constantFrom('..', '.', '/', '\\', 'C:', 'a', ' ', '\0', '%2e', '~', 'b');
    let accepted = 0;
    fc.assert(
      fc.property(fc.constantFrom(...ROOTS), fc.array(pieces, { maxLength: 8 }), (root, list) => {
        const outcome = outcomeOf(root, list.join(''));
        if (outcome === 'UnsafePathError') return;
        accepted += 1;
        const style = root.startsWith('/') ? path.posix : path.win32;
        const relative = style.relative(root, outcome);
        expect(relative).not.toBe('');
        expect(style.isAbsolute(relative)).toBe(false);
        expect(relative.split(style.sep)).not.toContain('..');
      }),
      { numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });
});
