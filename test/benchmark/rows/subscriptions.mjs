import { median, shifted } from '../measure/rounds.mjs';
import { Streams } from '../measure/streams.mjs';
import { LISTEN } from '../workload/requests.mjs';
import { enlist, forPeers } from './servers.mjs';
import { cell, remark } from './targets.mjs';

const ADAPTERS = ['express', 'fastify'];
const PEERS = ['sdk', 'mcp-nest-express', 'mcp-nest-fastify'];
const STREAMS = 1_000;
const WARM_STREAMS = 20;
const WARM_CYCLES = 25;
const KILOBYTE = 1_000;
const SETTLE_MS = 500;

/** Rows 14 and 15: what streams cost while they are open, and how long a change takes to reach all of them. */
export async function measureSubscriptions(bench, rows) {
  const servers = await enlist(bench, ['node-http', ...ADAPTERS.map((adapter) => `ours-${adapter}`), ...PEERS]);
  const streams = await Streams.start();
  try {
    const seen = new Map();
    for (const { server, peer } of servers) await warm(streams, server, peer ? 1 : WARM_CYCLES);
    for (const [key, bytes] of await heaps(servers)) {
      seen.set(key, { bareBytes: bytes, openKb: [], leftKb: [], publishMs: [] });
    }
    for (let round = 0; round < bench.pace.streamRounds; round += 1) {
      // MCP-Nest has room for 1,024 streams and lets go of closed ones late, so that peers take part once.
      const present = servers.filter(({ peer }) => !peer || round === 0);
      await measureRound(streams, shifted(present, round), seen, rows.has(15) ? bench.pace.publications : 1);
    }
    return ADAPTERS.flatMap((adapter) => cellsOf(seen, adapter).filter(({ row }) => rows.has(row)));
  } finally {
    await streams.stop();
  }
}

/** Few streams at once, so that what grows with their number is still to come. */
async function warm(streams, server, cycles) {
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    await streams.open(server, LISTEN, WARM_STREAMS);
    await streams.publish(server);
    await streams.close(server);
  }
}

/** All servers hold their streams at once; they publish one after the other, again and again. */
async function measureRound(streams, servers, seen, publications) {
  const note = async (metric) => {
    for (const [key, bytes] of await heaps(servers)) {
      seen.get(key)[metric].push((bytes - seen.get(key).bareBytes) / STREAMS / KILOBYTE);
    }
  };
  for (const { server } of servers) await streams.open(server, LISTEN, STREAMS);
  await note('openKb');
  const times = new Map(servers.map(({ key }) => [key, []]));
  for (let time = 0; time < publications; time += 1) {
    const order = shifted(servers, time);
    for (const { key, server } of time % 2 === 0 ? order : order.toReversed()) {
      times.get(key).push(await streams.publish(server));
    }
  }
  for (const [key, values] of times) seen.get(key).publishMs.push(median(values));
  for (const { server } of servers) await streams.close(server);
  await note('leftKb');
}

/** What is alive on each of them, once everything is quiet. */
async function heaps(servers) {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const found = new Map();
  for (const { key, server } of servers) found.set(key, await server.ask('heap'));
  return found;
}

function cellsOf(seen, adapter) {
  const floor = seen.get('node-http');
  const line = (make, row, name, figure) =>
    make({ row, name, adapter, ours: figure(`ours-${adapter}`), peers: forPeers(adapter, figure) });
  const values = (metric) => (name) => seen.get(name)?.[metric] ?? [];
  const times = (metric) => (name) => values(metric)(name).map((value, round) => value / floor[metric][round]);
  return [
    line(cell, 14, 'heap per open stream', values('openKb')),
    line(remark, 14, 'heap per open stream x bare node:http', times('openKb')),
    line(remark, 14, 'kB per stream left after close', values('leftKb')),
    line(cell, 15, 'publish to 1,000 streams x bare node:http', times('publishMs')),
  ];
}
