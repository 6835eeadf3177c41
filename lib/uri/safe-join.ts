import path from 'node:path';
import { UnsafePathError } from '../errors/unsafe-path.error.js';

const WINDOWS_ROOT = /^(?:[A-Za-z]:[\\/]|\\\\)/;
const DRIVE = /^[A-Za-z]:/;
// Windows opens a device for these names in any folder and with any extension.
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[ .]|$)/i;

/**
 * Resolves a relative path that a client sent, such as the value of `{+path}` or `{/path*}`, under `root`. A root in
 * Windows form applies the rules of Windows on every platform. Symbolic links are not followed: resolve them before
 * you open a file, if others can create links under the root.
 *
 * @throws UnsafePathError on dot segments, empty segments, absolute paths, backslashes and NUL.
 * @publicApi
 */
export function safeJoin(root: string, value: string | readonly string[]): string {
  if (root === '') throw new TypeError('safeJoin needs a root directory.');
  const relative = typeof value === 'string' ? value : value.join('/');
  const style = WINDOWS_ROOT.test(root) ? path.win32 : path;
  const segments = checkedSegments(relative);
  if (style.sep === '\\') checkWindowsSegments(segments);
  const base = style.resolve(root);
  const target = style.resolve(base, ...segments);
  const inside = base.endsWith(style.sep) ? base : base + style.sep;
  if (!target.startsWith(inside)) throw new UnsafePathError('it leaves its root directory');
  return target;
}

function checkedSegments(relative: string): string[] {
  if (relative === '') throw new UnsafePathError('it is empty');
  if (relative.includes('\0')) throw new UnsafePathError('it has a NUL character');
  if (relative.includes('\\')) throw new UnsafePathError('it has a backslash; separate segments with "/"');
  if (relative.startsWith('/') || DRIVE.test(relative)) throw new UnsafePathError('it is absolute');
  const segments = relative.split('/');
  for (const segment of segments) {
    if (segment === '') throw new UnsafePathError('it has an empty segment');
    if (segment === '.' || segment === '..') throw new UnsafePathError('it has a dot segment');
  }
  return segments;
}

function checkWindowsSegments(segments: readonly string[]): void {
  for (const segment of segments) {
    if (segment.includes(':')) throw new UnsafePathError('it has a colon');
    if (segment.endsWith('.') || segment.endsWith(' ')) throw new UnsafePathError('a segment ends in a dot or a space');
    if (WINDOWS_DEVICE.test(segment)) throw new UnsafePathError('it names a device');
  }
}
