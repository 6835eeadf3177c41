import { ratios, rotate } from '../measure/rounds.mjs';
import { ECHO, list } from '../workload/requests.mjs';
import { enlist, forPeers } from './servers.mjs';
import { cell } from './targets.mjs';

const FEW = 10;
const MANY = 1_000;
const ADAPTERS = ['express', 'fastify'];
const PEERS = ['sdk', 'mcp-nest-express', 'mcp-nest-fastify'];

/** Row 6: what tools that a call never touches cost it. */
export async function measureCallAmongMany(bench) {
  const names = [...ADAPTERS.map((adapter) => `ours-${adapter}`), ...PEERS];
  const few = await enlist(bench, names, { tools: FEW });
  const many = await enlist(bench, names, { tools: MANY });
  const crowded = (key) => `${key} among many`;
  const servers = few.flatMap((one, index) => [one, { ...many[index], key: crowded(one.key) }]);
  const results = await rotate(bench, servers, ECHO, { connections: 8, seconds: 1, warmth: 2 });
  const ratio = (name) => ratios(results, crowded(name), name, 'perSecond');
  return ADAPTERS.map((adapter) =>
    cell({
      row: 6,
      name: 'echo, 1,000 tools x 10 tools',
      adapter,
      ours: ratio(`ours-${adapter}`),
      peers: forPeers(adapter, ratio),
    }),
  );
}

/** Row 7: a long list against a controller that stringifies the same list for every answer. */
export async function measureLongList(bench) {
  const names = ADAPTERS.flatMap((adapter) => [`plain-${adapter}`, `ours-${adapter}`]);
  const servers = await enlist(bench, [...names, ...PEERS], { tools: MANY });
  const results = await rotate(bench, servers, list(MANY), { connections: 8, seconds: 1, warmth: 0.02 });
  return ADAPTERS.map((adapter) => {
    const ratio = (name) => ratios(results, name, `plain-${adapter}`, 'perSecond');
    const name = 'list of 1,000 tools x plain';
    return cell({ row: 7, name, adapter, ours: ratio(`ours-${adapter}`), peers: forPeers(adapter, ratio) });
  });
}
