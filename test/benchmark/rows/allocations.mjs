import { ECHO } from '../workload/requests.mjs';
import { enlist, forPeers } from './servers.mjs';
import { cell } from './targets.mjs';

const KILOBYTE = 1_000;

/** Row 5: what a call allocates beyond the plain controller's, by the sampling heap profiler. */
export async function measureAllocations(bench) {
  const names = ['plain-express', 'ours-express', 'plain-fastify', 'ours-fastify'];
  const peers = ['sdk', 'mcp-nest-express', 'mcp-nest-fastify'];
  const allocated = new Map();
  for (const { key, server, peer } of await enlist(bench, [...names, ...peers])) {
    await bench.warm(server, ECHO, { connections: 16, peer });
    const times = peer ? 1 : bench.pace.samplings;
    const values = [];
    for (let time = 0; time < times; time += 1) values.push(await sample(bench, server, peer));
    allocated.set(key, values);
  }
  return ['express', 'fastify'].map((adapter) => {
    const plain = allocated.get(`plain-${adapter}`);
    const over = (name) => (allocated.get(name) ?? []).map((value, time) => value - plain[time]);
    const name = 'kB per echo over plain';
    return cell({ row: 5, name, adapter, ours: over(`ours-${adapter}`), peers: forPeers(adapter, over) });
  });
}

async function sample(bench, server, peer) {
  await server.ask('startAllocations');
  const amount = bench.pace.sampledRequests / (peer ? 5 : 1);
  const { count } = await bench.load.run(server, ECHO, { connections: 16, amount });
  const { head } = await server.ask('stopAllocations');
  return sizeOf(head) / count / KILOBYTE;
}

function sizeOf({ selfSize, children }) {
  return children.reduce((sum, child) => sum + sizeOf(child), selfSize);
}
