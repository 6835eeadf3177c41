import { Server } from '../measure/server.mjs';
import { ECHO } from '../workload/requests.mjs';
import { forPeers, isPeer } from './servers.mjs';
import { cell, TARGETS } from './targets.mjs';

const MEGABYTE = 1_000_000;
const SETTLE_MS = 300;
const NAMES = ['plain-express', 'ours-express', 'plain-fastify', 'ours-fastify'];
const PEERS = ['sdk', 'mcp-nest-express', 'mcp-nest-fastify'];

/** Rows 10 and 11: CPU time until the first right answer, memory then, and memory after work. */
export async function measureStartup(bench, rows) {
  const { startups, peerStartups, loaded } = bench.pace;
  const seen = new Map([...NAMES, ...PEERS].map((name) => [name, []]));
  for (let round = 0; round < startups; round += 1) {
    const present = [...NAMES, ...(round < peerStartups ? PEERS : [])];
    for (const name of round % 2 === 0 ? present : present.toReversed()) {
      const works = rows.has(11) && round < (isPeer(name) ? 1 : loaded);
      seen.get(name).push(await startOnce(bench, name, works));
    }
  }
  return ['express', 'fastify'].flatMap((adapter) => cellsOf(seen, adapter).filter(({ row }) => rows.has(row)));
}

async function startOnce(bench, name, works) {
  const server = await Server.start(name);
  try {
    await server.verify(ECHO);
    const { cpuMicroseconds, rssBytes } = await server.ask('usage');
    const first = { cpuMs: cpuMicroseconds / 1_000, startMb: rssBytes / MEGABYTE };
    if (!works) return first;
    await bench.load.run(server, ECHO, { connections: 16, amount: bench.pace.loadedRequests });
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return { ...first, loadedMb: (await server.ask('usage')).rssBytes / MEGABYTE };
  } finally {
    await server.stop();
  }
}

function cellsOf(seen, adapter) {
  const line = (row, name, metric, target) => {
    const values = (of) => seen.get(of).flatMap((one) => (one[metric] === undefined ? [] : [one[metric]]));
    const plain = ranked(values(`plain-${adapter}`));
    const over = (of) => ranked(values(of)).map((value, rank) => value - plain[rank]);
    const figures = { ours: over(`ours-${adapter}`), peers: forPeers(adapter, over) };
    return figures.ours.length === 0 ? [] : [cell({ row, name, adapter, target, ...figures })];
  };
  return [
    ...line(10, 'startup CPU over plain', 'cpuMs', TARGETS[10]),
    ...line(11, 'RSS over plain at start', 'startMb', TARGETS.start),
    ...line(11, 'RSS over plain after load', 'loadedMb', TARGETS.loaded),
  ];
}

/** What else a machine does only adds to a start, so the least are compared with the least, and not round with round. */
const ranked = (values) => values.toSorted((a, b) => a - b);
