import { ratios, rotate } from '../measure/rounds.mjs';
import { UPDATES } from '../workload/catalogue.mjs';
import { count } from '../workload/requests.mjs';
import { enlist, forPeers } from './servers.mjs';
import { cell, remark } from './targets.mjs';

const ADAPTERS = ['express', 'fastify'];
const PEERS = ['sdk', 'mcp-nest-express', 'mcp-nest-fastify'];

/** Row 13: CPU time of an update, among a thousand that a tool awaits one by one. */
export async function measureUpdates(bench) {
  const servers = await enlist(bench, ['node-http', ...ADAPTERS.map((adapter) => `ours-${adapter}`), ...PEERS]);
  const slices = { connections: 1, amount: bench.pace.countedCalls, warmth: 0.02 };
  const results = await rotate(bench, servers, count(UPDATES), slices);
  const each = (name) => (results.get(name) ?? []).map(({ cpu }) => cpu / UPDATES);
  const times = (name) => ratios(results, name, 'node-http', 'cpu');
  return ADAPTERS.flatMap((adapter) => [
    line(cell, 13, 'CPU per update', adapter, each),
    line(remark, 13, 'CPU per update x bare node:http', adapter, times),
  ]);
}

/** Row 16: calls that report one update and return, against a controller that writes the same two events by hand. */
export async function measureShortStreams(bench) {
  const names = ADAPTERS.flatMap((adapter) => [`streams-${adapter}`, `ours-${adapter}`]);
  const servers = await enlist(bench, [...names, ...PEERS]);
  const results = await rotate(bench, servers, count(1), { connections: 16, seconds: 1, warmth: 0.5 });
  return ADAPTERS.flatMap((adapter) => {
    const ratio = (metric) => (name) => ratios(results, name, `streams-${adapter}`, metric);
    return [
      line(cell, 16, 'one update x plain, 16 connections', adapter, ratio('perSecond')),
      line(remark, 16, 'CPU per call with one update x plain', adapter, ratio('cpu')),
    ];
  });
}

function line(make, row, name, adapter, figure) {
  return make({ row, name, adapter, ours: figure(`ours-${adapter}`), peers: forPeers(adapter, figure) });
}
