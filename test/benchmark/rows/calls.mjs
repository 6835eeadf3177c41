import { ratios, rotate } from '../measure/rounds.mjs';
import { ADD, ECHO } from '../workload/requests.mjs';
import { enlist, forPeers } from './servers.mjs';
import { cell } from './targets.mjs';

const ADAPTERS = ['express', 'fastify'];

/** Rows 1 to 4 and 9: calls of two tools, seen as throughput, CPU time and latency. */
export async function measureCalls(bench, rows) {
  const wants = (...some) => some.some((row) => rows.has(row));
  const adapters = wants(3, 4, 9) ? ADAPTERS : ADAPTERS.filter((_, index) => rows.has(index + 1));
  const nests = adapters.flatMap((adapter) => [`plain-${adapter}`, `ours-${adapter}`]);
  const peers = ['sdk', ...adapters.map((adapter) => `mcp-nest-${adapter}`)];
  const servers = await enlist(bench, [...(wants(4) ? ['node-http'] : []), ...nests, ...peers]);
  const results = {};
  const measure = (request, of, connections, warmth) => rotate(bench, of, request, { connections, seconds: 1, warmth });
  if (wants(1, 2, 3, 4, 9)) results.echo = await measure(ECHO, servers, 16);
  const withoutBare = servers.filter(({ key }) => key !== 'node-http');
  if (wants(1, 2, 3)) results.add = await measure(ADD, withoutBare, 16, 0.5);
  if (wants(9)) results.alone = await measure(ECHO, withoutBare, 1, 0.05);
  return adapters.flatMap((adapter) => cellsOf(results, adapter).filter(({ row }) => rows.has(row)));
}

function cellsOf({ echo, add, alone }, adapter) {
  const plain = `plain-${adapter}`;
  const line = (row, name, results, metric, base = plain) =>
    results?.has(base)
      ? [
          cell({
            row,
            name,
            adapter,
            ours: ratios(results, `ours-${adapter}`, base, metric),
            peers: forPeers(adapter, (peer) => ratios(results, peer, base, metric)),
          }),
        ]
      : [];
  const throughput = adapter === 'express' ? 1 : 2;
  return [
    ...line(throughput, 'echo x plain, 16 connections', echo, 'perSecond'),
    ...line(throughput, 'add x plain, 16 connections', add, 'perSecond'),
    ...line(3, 'CPU per echo x plain', echo, 'cpu'),
    ...line(3, 'CPU per add x plain', add, 'cpu'),
    ...line(4, 'echo x bare node:http', echo, 'perSecond', 'node-http'),
    ...line(9, 'p50 x plain, 1 connection', alone, 'p50'),
    ...line(9, 'p50 x plain, 16 connections', echo, 'p50'),
  ];
}
