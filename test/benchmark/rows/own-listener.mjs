import { ratios, rotate } from '../measure/rounds.mjs';
import { ECHO } from '../workload/requests.mjs';
import { enlist } from './servers.mjs';
import { cell, remark } from './targets.mjs';

const FLOOR = 'node-http';
const NO_PEERS = Object.freeze({ sdk: [], 'mcp-nest': [] });

/** Row 18: the own listener beside the least that a server on Node does. */
export async function measureListener(bench) {
  const servers = await enlist(bench, [FLOOR, 'ours-listener']);
  const results = await rotate(bench, servers, ECHO, { connections: 16, seconds: 1, warmth: 5 });
  const figure = (metric) => ({
    row: 18,
    adapter: 'listener',
    ours: ratios(results, 'ours-listener', FLOOR, metric),
    peers: NO_PEERS,
  });
  return [
    cell({ ...figure('perSecond'), name: 'echo x bare node:http' }),
    remark({ ...figure('cpu'), name: 'CPU per echo x bare node:http' }),
  ];
}
