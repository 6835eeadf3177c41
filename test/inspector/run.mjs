import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ROOT, run, TSC } from '../../scripts/command.mjs';
import { installApart } from '../../scripts/install-apart.mjs';
import { nodeBinary } from '../../scripts/node-binary.mjs';
import { announced, start, within } from '../conformance/child.mjs';

/** The MCP Inspector lists and calls tools of two samples, over stdio and over the own listener: `npm run inspector`. */
const HERE = fileURLToPath(new URL('.', import.meta.url));
const INSPECTOR = `${HERE}node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js`;
const BUILD = `${ROOT}.build/inspector`;
const RUN_MS = 60_000;
const START_MS = 30_000;

const node = nodeBinary('22');
// Not `npm ci`: an optional dependency for Windows is missing from the lock file. No native part is needed here.
installApart(HERE, (args) => run('npm', args, { cwd: HERE }), ['install', '--no-save', '--ignore-scripts']);
run('npm', ['run', 'build', '--silent']);
for (const sample of ['07-stdio', '08-listener']) run(process.execPath, [TSC, '-p', `sample/${sample}`]);
mkdirSync(`${BUILD}/home`, { recursive: true });

inspectPipe();
await inspectListener();

function inspectPipe() {
  const target = [node, `${ROOT}sample/07-stdio/dist/main.js`];
  const { tools } = inspect([...target, '--method', 'tools/list']);
  assert.deepEqual(namesOf(tools), ['find_notes', 'read_aloud', 'write_note']);
  const call = ['--method', 'tools/call', '--tool-name', 'write_note', '--tool-arg', 'text=Grüße an 日本'];
  const { structuredContent } = inspect([...target, '-e', 'NOTES_OWNER=Ada', ...call]);
  assert.deepEqual(structuredContent, { number: 1, owner: 'Ada', text: 'Grüße an 日本' });
  console.log('  stdio: listed and called');
}

async function inspectListener() {
  process.env.PORT = '0';
  const { child, ended, output } = start(node, [`${ROOT}sample/08-listener/dist/main.js`], `${BUILD}/listener.log`);
  try {
    const url = await within(START_MS, announced(child, output, /^MCP endpoint: (\S+)\r?\n/m), undefined);
    assert.ok(url, `The sample did not start:\n${output()}`);
    const target = ['--server-url', url, '--transport', 'http'];
    const badge = ['--header', 'Authorization: Bearer badge-ada'];
    const { tools } = inspect([...target, ...badge, '--method', 'tools/list']);
    assert.deepEqual(namesOf(tools), ['print', 'show_queue']);
    const call = ['--method', 'tools/call', '--tool-name', 'print', '--tool-arg', 'title=Minutes', 'pages=3'];
    const { content } = inspect([...target, ...badge, ...call]);
    assert.deepEqual(content, [{ type: 'text', text: 'Minutes is number 1 in the queue, Ada' }]);
    assert.throws(() => inspect([...target, '--method', 'tools/list']), /auth_required/);
    console.log('  listener: listed, called, and refused without a badge');
  } finally {
    child.kill();
    await ended;
  }
}

/** What the Inspector prints. @throws when it does not succeed. */
function inspect(args) {
  const { status, stdout, stderr, error } = spawnSync(
    node,
    [INSPECTOR, '--cli', '--protocol-era', 'modern', ...args],
    // It keeps what it learns in the home folder, and opens browsers where it may.
    { encoding: 'utf8', timeout: RUN_MS, env: { ...process.env, HOME: `${BUILD}/home`, NO_COLOR: '1', CI: 'true' } },
  );
  if (error) throw error;
  if (status !== 0) throw new Error(`The Inspector ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

function namesOf(tools) {
  return tools.map(({ name }) => name).sort();
}
