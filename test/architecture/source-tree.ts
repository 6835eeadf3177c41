import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One file under test: its path from the repository root, with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'coverage', '.git', '.build', '.cache', '.batches']);

/** Paths of all files below a folder of the repository, sorted; built and installed files are left out. */
export function listFiles(folder: string, accepts: (path: string) => boolean): string[] {
  const start = join(ROOT, folder);
  if (!existsSync(start)) return [];
  const found: string[] = [];
  const visit = (directory: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name)) visit(path);
      } else if (accepts(entry.name)) {
        found.push(relative(ROOT, path).split(sep).join('/'));
      }
    }
  };
  visit(start);
  return found.sort();
}

export function readSources(folder: string): SourceFile[] {
  return listFiles(folder, (name) => /\.[cm]?[jt]s$/.test(name)).map(readSource);
}

export function readSource(path: string): SourceFile {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}

/** A file that exists only in a test. */
export function source(path: string, text = ''): SourceFile {
  return { path, text };
}
