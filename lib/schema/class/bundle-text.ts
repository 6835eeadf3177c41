import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How many frames of the stack are examined: frames of this library and of Nest, then frames of the app. */
const MAX_FRAMES = 20;

/** A line of class-transformer that all its builds have and that minifiers keep; a bundler may add a comment. */
const SIGNATURE = /\._excludeMetadatas\s*=\s*(?:\/\*[^*]*\*\/\s*)?new Map\b/g;

const callers = new Set<string>();

/** Records the files that call the module, and the file of this library; in a bundle, the files are the bundle. */
export function noteCallers(): void {
  const { stackTraceLimit } = Error;
  const prepare: unknown = Reflect.get(Error, 'prepareStackTrace');
  try {
    Error.stackTraceLimit = MAX_FRAMES;
    Error.prepareStackTrace = takeFrames;
    // With source maps, the text of a stack would name files that do not exist.
    for (const file of new Error().stack as unknown as readonly unknown[]) {
      if (typeof file === 'string' && !file.startsWith('node:')) callers.add(file);
    }
  } catch {
    // If the stack cannot be read, nothing is known about bundles.
  } finally {
    Error.prepareStackTrace = prepare as typeof Error.prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function takeFrames(_error: Error, frames: readonly NodeJS.CallSite[]): unknown {
  return frames.map((frame) => frame.getFileName());
}

/** Copies of class-transformer inside the recorded files. */
export interface BundledCopies {
  readonly total: number;
  /** How many of these copies own one of the given storages. */
  countOf(constructors: readonly unknown[]): number;
}

/** Searches the recorded files for the code of class-transformer; outside of bundles no file contains it. */
export function countBundledCopies(): BundledCopies {
  const texts = [...callers].map(readText);
  // A development bundle keeps the code of each module in a string.
  const isWithin = (code: string): boolean =>
    texts.some((text) => text.includes(code) || text.includes(JSON.stringify(code).slice(1, -1)));
  return {
    total: texts.reduce((sum, text) => sum + (text.match(SIGNATURE)?.length ?? 0), 0),
    countOf: (constructors) => constructors.filter((constructor) => isWithin(String(constructor))).length,
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file.startsWith('file:') ? fileURLToPath(file) : file, 'utf8');
  } catch {
    return '';
  }
}
