import { ratios, rotate } from '../measure/rounds.mjs';
import { ECHO } from '../workload/requests.mjs';
import { enlist, forPeers } from './servers.mjs';
import { cell, remark } from './targets.mjs';

const ADAPTERS = ['express', 'fastify'];

/** Peers run no ordinary guard around a tool. */
const none = (adapter) => forPeers(adapter, () => []);

/** Row 17: a call with guard, interceptor and DTO, beside a plain controller with the same three. */
export async function measureGuardedCalls(bench) {
  const names = ADAPTERS.flatMap((adapter) => [`guarded-plain-${adapter}`, `guarded-ours-${adapter}`]);
  const results = await rotate(bench, await enlist(bench, names), ECHO, { connections: 16, seconds: 1 });
  return ADAPTERS.flatMap((adapter) => {
    const ours = (metric) => ratios(results, `guarded-ours-${adapter}`, `guarded-plain-${adapter}`, metric);
    return [
      cell({
        row: 17,
        name: 'guarded echo x plain, 16 connections',
        adapter,
        ours: ours('perSecond'),
        peers: none(adapter),
      }),
      remark({ row: 17, name: 'CPU per guarded echo x plain', adapter, ours: ours('cpu'), peers: none(adapter) }),
    ];
  });
}
