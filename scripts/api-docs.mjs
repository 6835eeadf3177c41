import { ROOT, run } from './command.mjs';
import { installApart } from './install-apart.mjs';

/** Writes the API reference to `.build/api`: `npm run docs:api`. Broken links and unexported types are errors. */
const HERE = `${ROOT}scripts/typedoc`;
installApart(HERE, (args) => run('npm', args, { cwd: HERE }));
run(process.execPath, ['node_modules/typedoc/bin/typedoc'], { cwd: HERE });
console.log('Open .build/api/index.html');
