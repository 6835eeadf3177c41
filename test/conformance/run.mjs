import { readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { run, TSC } from '../../scripts/command.mjs';
import { nodeBinary } from '../../scripts/node-binary.mjs';
import { startFixture } from './fixture.mjs';
import { BUILD, readResults, requirementSet, runSuite } from './suite.mjs';
import { describeScenario, judge, problemsOf, tally } from './verdict.mjs';

/**
 * Runs the official conformance suite:
 * `npm run conformance -- server 2026-07-28 [--adapter fastify | listener] [--node 22]`.
 * Exits with 0 when exactly the checks of `expected-failures.<revision>.json` fail.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { adapter: { type: 'string', default: 'express' }, node: { type: 'string' } },
});
const [leg = 'server', revision = '2026-07-28'] = positionals;
const { adapter, node } = values;
if (leg !== 'server') throw new Error(`There is no leg "${leg}"; there is "server"`);
if (!['express', 'fastify', 'listener'].includes(adapter)) throw new Error(`There is no adapter "${adapter}"`);

const required = requirementSet(leg, revision);
const expected = JSON.parse(readFileSync(new URL(`expected-failures.${revision}.json`, import.meta.url), 'utf8'));

run('npm', ['run', 'build', '--silent']);
rmSync(BUILD, { recursive: true, force: true });
run(process.execPath, [TSC, '-p', 'test/conformance/tsconfig.json']);

const fixture = await startFixture(adapter, node === undefined ? process.execPath : nodeBinary(node));
const started = performance.now();
console.log(`Suite against ${fixture.url} on ${adapter}, Node ${node ?? process.version}`);
const ending = await runSuite({ leg, revision, url: fixture.url });
const early = await fixture.stop();
console.log(`  ${((performance.now() - started) / 1000).toFixed(1)} s`);

const scenarios = judge(required, readResults(leg), expected[leg] ?? {});
for (const scenario of scenarios) console.log(describeScenario(scenario));
const problems = [...[ending, early].filter(Boolean), ...problemsOf(scenarios, expected[leg] ?? {})];
for (const problem of problems) console.log(`! ${problem}`);
console.log(`${leg} ${revision}: ${tally(scenarios)}`);
process.exitCode = problems.length === 0 ? 0 : 1;
