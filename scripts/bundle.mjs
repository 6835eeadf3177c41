import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { ROOT } from './command.mjs';

/** Continues the source maps that tsc wrote. */
const chainSourceMaps = {
  name: 'chain-source-maps',
  load: (id) => ({
    code: readFileSync(id, 'utf8').replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'),
    map: JSON.parse(readFileSync(`${id}.map`, 'utf8')),
  }),
};

/** Packages that become part of the bundle, and the module that exports what the library needs from them. */
const JOINED_PACKAGES = ['ajv/dist/2020.js', 'ajv-formats'];
const AJV = 'ajv.js';
const AJV_SOURCE = `export { Ajv2020 } from 'ajv/dist/2020.js';\nexport { default } from 'ajv-formats';\n`;

/** Joins the 90 files of ajv to one module: loading them took a third of the CPU time that the library adds to a start. */
const joinAjv = {
  name: 'join-ajv',
  resolveId: (id) => (JOINED_PACKAGES.includes(id) ? AJV : undefined),
  load: async (id) => {
    if (id !== AJV) return undefined;
    const { outputFiles, metafile } = await build({
      stdin: { contents: AJV_SOURCE, resolveDir: ROOT },
      bundle: true,
      format: 'esm',
      platform: 'node',
      metafile: true,
      write: false,
    });
    // No source map: its lines are those of the packages.
    const map = { mappings: '' };
    return { code: `/*!\n${licencesOf(Object.keys(metafile.inputs))}*/\n${outputFiles[0].text}`, map };
  },
};

/** The licence texts of all packages in the module: each requires that copies include it. */
function licencesOf(files) {
  const packages = new Set(files.flatMap((file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []));
  const texts = [...packages]
    .toSorted((a, b) => a.localeCompare(b))
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
      return `${name} ${version}\n\n${readFileSync(join(ROOT, folder, 'LICENSE'), 'utf8').trim()}\n`;
    });
  return texts.join('\n---\n\n');
}

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
    external: (id) => !/^[./]/.test(id) && !/^[A-Za-z]:/.test(id) && id !== AJV && !JOINED_PACKAGES.includes(id),
    plugins: [joinAjv, chainSourceMaps],
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
    chunkFileNames: '[name].js',
    ...(entries.length > 1 ? { manualChunks: coreOf(entries.map((entry) => join(folder, entry))) } : {}),
  });
  await bundled.close();
  return output;
}

/** What the first entry point needs is the core of all; everything else belongs to the entry point that needs it. */
function coreOf(entries) {
  let core;
  return (id, { getModuleInfo }) => {
    if (id === AJV) return 'ajv';
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
