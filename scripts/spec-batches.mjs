import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ROOT } from './command.mjs';

/** Specs that start processes, pack, bundle or put a server under load. */
export const SLOW_SPEC = /\.slow\.spec\.ts$/;
/** What would reach the other specs of a batch, and what they would disturb. */
const NEEDS_ITS_OWN = [
  /^(?:before|after)(?:All|Each)\(/m, // A hook outside of `describe` would run for all of them.
  /\bunstable_mockModule\(/,
  /\bContextIdFactory\.apply\(/,
  /\/held-bytes\.js'/, // Weighs the memory of the whole process.
];
/** More in a batch saves no time, fewer batches leave workers idle. */
const BATCH_BYTES = 180_000;

/** Paths from the root, with slashes, of all specs in a folder. */
export function listSpecs(folder) {
  const paths = readdirSync(join(ROOT, folder), { recursive: true });
  return paths.filter((path) => path.endsWith('.spec.ts')).map((path) => `${folder}/${path.split(sep).join('/')}`);
}

/**
 * Writes files that each import a batch of specs, and returns the paths of all files to run. For every file that it
 * runs, Jest loads and compiles the framework and the library anew, which takes longer than most specs do.
 */
export function writeBatches(name, groups) {
  const home = join(ROOT, '.batches', name);
  mkdirSync(home, { recursive: true });
  const batches = new Map();
  for (const [group, specs] of Object.entries(groups)) {
    for (const [index, batch] of dealOut(specs.filter(isShareable)).entries()) {
      batches.set(`${group}-${index + 1}.spec.ts`, textOf(home, batch));
    }
  }
  for (const file of readdirSync(home)) if (!batches.has(file)) rmSync(join(home, file));
  for (const [file, text] of batches) writeChanged(join(home, file), text);
  const own = Object.values(groups).flatMap((specs) => specs.filter((path) => !isShareable(path)));
  return [...[...batches.keys()].map((file) => `.batches/${name}/${file}`), ...own];
}

function isShareable(path) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return !NEEDS_ITS_OWN.some((pattern) => pattern.test(text));
}

/** The largest first, each to the batch that is smallest so far. */
function dealOut(specs) {
  const sized = specs.map((path) => ({ path, bytes: statSync(join(ROOT, path)).size }));
  const total = sized.reduce((sum, { bytes }) => sum + bytes, 0);
  const batches = Array.from({ length: Math.ceil(total / BATCH_BYTES) }, () => ({ bytes: 0, specs: [] }));
  for (const { path, bytes } of sized.sort((one, other) => other.bytes - one.bytes)) {
    const smallest = batches.reduce((least, batch) => (batch.bytes < least.bytes ? batch : least));
    smallest.bytes += bytes;
    smallest.specs.push(path);
  }
  return batches.map((batch) => batch.specs);
}

function textOf(home, specs) {
  const root = relative(home, ROOT).split(sep).join('/');
  return specs.map((path) => `import '${root}/${path.replace(/\.ts$/, '.js')}';\n`).join('');
}

/** Jest may be running this file. */
function writeChanged(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}
