import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rollup } from 'rollup';

/** Continues the source maps that tsc wrote. */
const chainSourceMaps = {
  name: 'chain-source-maps',
  load: (id) => ({
    code: readFileSync(id, 'utf8').replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'),
    map: JSON.parse(readFileSync(`${id}.map`, 'utf8')),
  }),
};

/**
 * Joins the modules that tsc wrote into one file an entry point: Node spends 0.7 ms on each file it imports, which was
 * 100 ms at every start of an app. Declarations stay as they are. Entry points of one group share what they need;
 * groups share nothing.
 */
export async function bundle(folder, groups) {
  const written = [];
  for (const entries of groups) written.push(...(await joinModules(folder, entries)));
  removeModules(folder);
  for (const file of written) writeModule(folder, file);
}

async function joinModules(folder, entries) {
  const bundled = await rollup({
    input: entries.map((entry) => join(folder, entry)),
    external: (id) => !/^[./]/.test(id) && !/^[A-Za-z]:/.test(id),
    plugins: [chainSourceMaps],
    onwarn: (warning) => {
      // The head of the helpers that tsc writes for decorators; both spellings of it mean the same.
      if (warning.code !== 'THIS_IS_UNDEFINED') throw new Error(warning.message);
    },
  });
  const { output } = await bundled.generate({
    dir: folder,
    format: 'es',
    sourcemap: true,
    // `a/index.js` stays where it is; what several of them need is one file beside them.
    entryFileNames: ({ facadeModuleId }) => relative(folder, facadeModuleId).replaceAll('\\', '/'),
    chunkFileNames: 'core.js',
    ...(entries.length > 1 ? { manualChunks: coreOf(entries.map((entry) => join(folder, entry))) } : {}),
  });
  await bundled.close();
  return output;
}

/** What the first entry point needs is the core of all; everything else belongs to the entry point that needs it. */
function coreOf(entries) {
  let core;
  return (id, { getModuleInfo }) => {
    core ??= reachedFrom(entries[0], getModuleInfo);
    return core.has(id) && !entries.includes(id) ? 'core' : undefined;
  };
}

function reachedFrom(entry, getModuleInfo) {
  const reached = new Set([entry]);
  // A set goes on with what is added meanwhile.
  for (const id of reached) {
    const { importedIds, dynamicallyImportedIds } = getModuleInfo(id);
    for (const target of [...importedIds, ...dynamicallyImportedIds]) {
      if (getModuleInfo(target)?.isExternal === false) reached.add(target);
    }
  }
  return reached;
}

function removeModules(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeModules(path);
    else if (/\.js(\.map)?$/.test(entry.name)) rmSync(path);
  }
}

/** Only a command begins with `#!`, and has to be executable. */
function writeModule(folder, { fileName, code, source }) {
  const path = join(folder, fileName);
  const text = code === undefined ? source : escapeBeyondAscii(code);
  writeFileSync(path, text);
  if (text.startsWith('#!')) chmodSync(path, 0o755);
}

/** V8 keeps two bytes for each character of a file that holds any beyond Latin-1: here, a megabyte in every app. */
function escapeBeyondAscii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
