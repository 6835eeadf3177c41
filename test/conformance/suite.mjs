import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ROOT } from '../../scripts/command.mjs';
import { nodeBinary } from '../../scripts/node-binary.mjs';
import { start, within } from './child.mjs';

/** Where the compiled fixture, the logs and the suite's own reports are left. */
export const BUILD = join(ROOT, '.build', 'conformance');

const RESULTS = join(BUILD, 'results');
const WHOLE_RUN_MS = 300_000;
const SCENARIO_MS = 30_000;
const LATE = Symbol('late');

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
const PACKAGE = dirname(manifest);

/** The scenarios of a revision in the suite's order, each with whether it is scored. */
export function requirementSet(leg, revision) {
  const file = join(PACKAGE, 'requirements', `${revision}.yaml`);
  if (!existsSync(file)) throw new Error(`The suite has no requirements for revision "${revision}"`);
  const { parse } = createRequire(manifest)('yaml');
  const { [leg]: required, not_scored: others = [] } = parse(readFileSync(file, 'utf8'));
  return [
    ...required.map((name) => ({ name, scored: true })),
    ...others.filter((entry) => entry.leg === leg).map(({ scenario }) => ({ name: scenario, scored: false })),
  ];
}

/** Runs the suite to its end; what it returns, if anything, is why its results are not to be trusted. */
export async function runSuite({ leg, revision, url }) {
  const program = join(PACKAGE, 'dist', 'index.js');
  const options = ['--requirements', revision, '--timeout', String(SCENARIO_MS), '--output-dir', RESULTS];
  mkdirSync(RESULTS, { recursive: true });
  const { child, ended } = start(nodeBinary(22), [program, leg, '--url', url, ...options], join(BUILD, 'suite.log'));
  const how = await within(WHOLE_RUN_MS, ended, LATE);
  if (how === LATE) {
    child.kill('SIGKILL');
    await ended;
    return `The suite was stopped after ${WHOLE_RUN_MS / 1000} s`;
  }
  // It ends with 1 when a scored scenario fails.
  return how === 0 || how === 1 ? undefined : `The suite ended with ${how}; see .build/conformance/suite.log`;
}

/** The checks of every scenario that ran, by its name. */
export function readResults(leg) {
  const results = new Map();
  for (const folder of readdirSync(RESULTS)) {
    const name = folder.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '').slice(`${leg}-`.length);
    const file = join(RESULTS, folder, 'checks.json');
    if (existsSync(file)) results.set(name, JSON.parse(readFileSync(file, 'utf8')));
  }
  return results;
}
