import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import type { Finding } from '../boot-audit/audit.js';

/** The effect of a second copy of a package. */
const HARM = {
  '@nestjs/core': 'so Nest finds nothing of what the other copy provides, and the app cannot start',
  '@nestjs/common': 'so the logger of the app and its filters of HttpException miss what nestjs-mcp logs and throws',
} as const;

/** A finding for each package of Nest that the app and nestjs-mcp load from different places. */
export function findNestCopies(appFile: string): readonly Finding[] {
  const mcp = resolveFrom(appFile, 'nestjs-mcp');
  if (mcp === undefined) return [];
  return Object.entries(HARM).flatMap(([name, harm]) => {
    const [own, ours] = [resolveFrom(appFile, name), resolveFrom(mcp, name)];
    if (own === undefined || ours === undefined || own === ours) return [];
    const places = `the app loads ${dirname(own)}, nestjs-mcp loads ${dirname(ours)}`;
    const text = `There are two copies of ${name}: ${places}, ${harm}. Install one for both, for example with npm dedupe.`;
    return [{ check: 'nest-copies', text }];
  });
}

/** The place from which a file would load a package. */
export function resolveFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch {
    return undefined;
  }
}
