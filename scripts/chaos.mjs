import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runRound } from '../test/chaos/round.mjs';
import { ROOT } from './command.mjs';

/** Random clients against a server of its own process: `node scripts/chaos.mjs --seconds 60 --adapter fastify --seed 7`. */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    adapter: { type: 'string', multiple: true, default: ['express', 'fastify'] },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);

if (!(seconds > 0) || !Number.isInteger(seed)) throw new Error('--seconds and --seed take numbers');
if (!existsSync(`${ROOT}dist/esm/index.js`)) throw new Error('dist is missing: run npm run build');

for (const adapter of values.adapter) {
  console.log(`Chaos on ${adapter} for ${seconds} s with seed ${seed}`);
  const { tally, waits, driftBytes } = await runRound(adapter, { seed, seconds });
  for (const reason of tally.reasons) console.error(`  wrong: ${reason}`);
  if (tally.reasons.length > 0) process.exitCode = 1;
  const verdict = tally.reasons.length === 0 ? 'passed' : `failed with ${tally.reasons.length} reasons`;
  console.log(`${adapter}: p99 of a known caller under attack, as a multiple of alone: ${waits.join(', ')}`);
  console.log(`${adapter} ${verdict}; memory ${(driftBytes / 1e6).toFixed(1)} MB; ${tally.summary}`);
}
