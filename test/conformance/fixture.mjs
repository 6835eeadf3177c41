import { join } from 'node:path';
import { announced, start, within } from './child.mjs';
import { BUILD } from './suite.mjs';

const START_MS = 30_000;
const STOP_MS = 10_000;
const LATE = Symbol('late');

/** Starts the fixture server on a free port, with that Node binary; `stop` returns what was wrong with the way it ran, if anything. */
export async function startFixture(adapter, node) {
  const { child, ended, output } = start(
    node,
    [join(BUILD, 'fixture', 'main.js'), adapter],
    join(BUILD, 'fixture.log'),
  );
  const url = await within(START_MS, Promise.race([ended, announced(child, output, /^Serving (\S+)\r?\n/m)]), LATE);
  if (typeof url !== 'string' || !URL.canParse(url)) {
    child.kill('SIGKILL');
    await ended;
    throw new Error(`The fixture did not start:\n${output()}`);
  }
  const stop = async () => {
    const alive = child.exitCode === null && child.signalCode === null;
    child.kill();
    const how = await within(STOP_MS, ended, LATE);
    child.kill('SIGKILL');
    if (!alive) return `The fixture ended before the suite did, with ${how}; see .build/conformance/fixture.log`;
    return how === LATE ? `The fixture did not stop within ${STOP_MS / 1000} s` : undefined;
  };
  return { url, stop };
}
