import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
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
 * 100 ms at every start of an app. Declarations stay as they are.
 */
export async function bundle(folder, entries) {
  const bundled = await rollup({
    input: entries.map((entry) => join(folder, entry)),
    external: (id) => !/^[./]/.test(id) && !/^[A-Za-z]:/.test(id),
    plugins: [chainSourceMaps],
    onwarn: (warning) => {
      // The head of the helpers that tsc writes for decorators; both spellings of it mean the same.
      if (warning.code !== 'THIS_IS_UNDEFINED') throw new Error(warning.message);
    },
  });
  const { output } = await bundled.generate({ format: 'es', sourcemap: true });
  await bundled.write({ dir: folder, format: 'es', sourcemap: true });
  await bundled.close();
  removeModules(folder, new Set(output.map(({ fileName }) => fileName)));
}

function removeModules(folder, kept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeModules(path, new Set());
    else if (/\.js(\.map)?$/.test(entry.name) && !kept.has(entry.name)) rmSync(path);
  }
}
