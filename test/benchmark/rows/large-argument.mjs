import { ratios, rotate } from '../measure/rounds.mjs';
import { LARGE_ECHO } from '../workload/requests.mjs';
import { enlist, forPeers } from './servers.mjs';
import { cell } from './targets.mjs';

/** Row 8: an argument of 1 MB that comes back, as CPU time. */
export async function measureLargeArgument(bench) {
  const names = ['plain-express', 'ours-express', 'sdk', 'mcp-nest-express'];
  const servers = await enlist(bench, names);
  const results = await rotate(bench, servers, LARGE_ECHO, { connections: 4, seconds: 1.5, warmth: 0.01 });
  const ratio = (name) => ratios(results, name, 'plain-express', 'cpu');
  const name = 'CPU per 1 MB echo x plain';
  return [cell({ row: 8, name, adapter: 'express', ours: ratio('ours-express'), peers: forPeers('express', ratio) })];
}
