import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How many frames of the stack are looked at: those of this library and of Nest, then those of the app. */
const MAX_FRAMES = 20;

/** A line of class-transformer that every build of it has, and that minifiers leave; a bundler may add a comment. */
const SIGNATURE = /\._excludeMetadatas\s*=\s*(?:\/\*[^*]*\*\/\s*)?new Map\b/g;

const callers = new Set<string>();

/** Notes the files that call the module, and that of this library; in a bundle they are the bundle. */
export function noteCallers(): void {
  const { stackTraceLimit } = Error;
  const prepare: unknown = Reflect.get(Error, 'prepareStackTrace');
  try {
    Error.stackTraceLimit = MAX_FRAMES;
    Error.prepareStackTrace = takeFrames;
    // With source maps, the text of a stack would name files that are not there.
    for (const file of new Error().stack as unknown as readonly unknown[]) {
      if (typeof file === 'string' && !file.startsWith('node:')) callers.add(file);
    }
  } catch {
    // Where the stack cannot be read, nothing is known of bundles.
  } finally {
    Error.prepareStackTrace = prepare as typeof Error.prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function takeFrames(_error: Error, frames: readonly NodeJS.CallSite[]): unknown {
  return frames.map((frame) => frame.getFileName());
}

/** Copies of class-transformer within the noted files. */
export interface BundledCopies {
  readonly total: number;
  /** How many of them are the ones that made the given storages. */
  countOf(constructors: readonly unknown[]): number;
}

/** Looks for the code of class-transformer in the files that were noted; outside of bundles it is in none of them. */
export function countBundledCopies(): BundledCopies {
  const texts = [...callers].map(readText);
  // A bundle for development keeps the code of each module in a string.
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
