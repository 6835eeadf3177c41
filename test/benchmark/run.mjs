import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { Bench, PACES } from './measure/bench.mjs';
import { compileLibrary, installStand } from './prepare.mjs';
import { objects, table } from './report.mjs';
import { measureAllocations } from './rows/allocations.mjs';
import { measureCalls } from './rows/calls.mjs';
import { measureGuardedCalls } from './rows/guarded-calls.mjs';
import { measureLargeArgument } from './rows/large-argument.mjs';
import { measureListener } from './rows/own-listener.mjs';
import { measureCallAmongMany, measureLongList } from './rows/many-tools.mjs';
import { measureStartup } from './rows/startup.mjs';
import { measureShortStreams, measureUpdates } from './rows/streamed-calls.mjs';
import { measureStdio } from './rows/stdio.mjs';
import { measureSubscriptions } from './rows/subscriptions.mjs';

const SECTIONS = [
  { rows: [1, 2, 3, 4, 9], title: 'calls', measure: measureCalls },
  { rows: [5], title: 'allocations', measure: measureAllocations },
  { rows: [6], title: 'a call among many tools', measure: measureCallAmongMany },
  { rows: [7], title: 'a long list', measure: measureLongList },
  { rows: [8], title: 'a large argument', measure: measureLargeArgument },
  { rows: [10, 11], title: 'startup and memory', measure: measureStartup },
  { rows: [12], title: 'stdio', measure: measureStdio },
  { rows: [13], title: 'updates', measure: measureUpdates },
  { rows: [14, 15], title: 'open streams', measure: measureSubscriptions },
  { rows: [16], title: 'short streams', measure: measureShortStreams },
  { rows: [17], title: 'guarded calls', measure: measureGuardedCalls },
  { rows: [18], title: 'the own listener', measure: measureListener },
];
const ALL_ROWS = SECTIONS.flatMap(({ rows }) => rows);
/** Of each kind of work the row that tells most, in five minutes. */
const QUICK_ROWS = [1, 2, 3, 4, 5, 8, 10, 12, 13, 14, 15, 17, 18];

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, rows: { type: 'string' } },
});
const byDefault = options.quick ? QUICK_ROWS : ALL_ROWS;
const chosen = new Set(options.rows === undefined ? byDefault : options.rows.split(',').map(Number));
const strange = [...chosen].find((row) => !ALL_ROWS.includes(row));
if (strange !== undefined)
  throw new Error(`There is no row ${strange}; rows are ${ALL_ROWS.toSorted((a, b) => a - b).join(', ')}.`);

/** Progress goes to stderr, so that stdout holds the report alone. */
const say = (text) => process.stderr.write(`${text}\n`);

const [othersWork] = loadavg();
if (othersWork > availableParallelism() / 2) {
  say(
    `The machine has other work (load ${othersWork.toFixed(1)}): trust rows 5 and 14, and doubt every miss of another.`,
  );
}
await compileLibrary();
installStand();
const started = performance.now();
const cells = await measureAll();
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
console.log(
  options.json
    ? objects(cells)
        .map((object) => JSON.stringify(object))
        .join('\n')
    : table(cells),
);
say(`${minutes} minutes`);

async function measureAll() {
  const bench = await Bench.start(options.quick ? PACES.quick : PACES.full);
  try {
    const found = [];
    for (const { rows, title, measure } of SECTIONS) {
      if (!rows.some((row) => chosen.has(row))) continue;
      const begun = performance.now();
      found.push(...(await measure(bench, chosen)));
      say(`measured ${title} in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
    }
    if (bench.clientBound.length > 0) {
      say(
        `The load generator was busier than these servers, so read their CPU ratios: ${bench.clientBound.join(', ')}`,
      );
    }
    return found.sort((a, b) => a.row - b.row);
  } finally {
    await bench.stop();
  }
}
