import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { JEST, JEST_FLAGS, ROOT, run } from './command.mjs';
import { installApart } from './install-apart.mjs';
import { nodeBinary } from './node-binary.mjs';

/** Runs the end-to-end specs against the built package on Nest 11: `npm run test:nest-11 [-- --node 22] [specs]`. Build first. */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { node: { type: 'string' } } });
const home = `${ROOT}test/nest-11`;

if (!existsSync(`${ROOT}dist/esm/index.js`)) throw new Error('dist is missing: run npm run build');
installApart(home, (args) => run('npm', args, { cwd: home }));
const node = values.node === undefined ? process.execPath : nodeBinary(values.node);
run(node, [...JEST_FLAGS, JEST, '--config', 'test/nest-11/jest.config.js', ...positionals]);
