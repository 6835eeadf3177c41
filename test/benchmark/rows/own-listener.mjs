import { ratios, rotate } from '../measure/rounds.mjs';
import { ECHO } from '../workload/requests.mjs';
import { enlist } from './servers.mjs';
import { cell, remark } from './targets.mjs';

const FLOOR = 'node-http';
const OURS = 'ours-listener';
const NO_PEERS = Object.freeze({ sdk: [], 'mcp-nest': [] });

/**
 * Row 18: the own listener beside the least that a server on Node does. What the compiler makes of a program differs from
 * process to process, by more than what is left to gain here, so that several pairs take part.
 */
export async function measureListener(bench) {
  const pairs = [];
  for (let copy = 1; copy <= bench.pace.listenerPairs; copy += 1) {
    const servers = await enlist(bench, [FLOOR, OURS], { copy });
    pairs.push(await rotate(bench, servers, ECHO, { connections: 16, seconds: 0.3, warmth: 5 }));
  }
  const figure = (metric) => ({
    row: 18,
    adapter: 'listener',
    ours: pairs.flatMap((results) => ratios(results, OURS, FLOOR, metric)),
    peers: NO_PEERS,
  });
  return [
    cell({ ...figure('perSecond'), name: 'echo x bare node:http' }),
    remark({ ...figure('cpu'), name: 'CPU per echo x bare node:http' }),
  ];
}
