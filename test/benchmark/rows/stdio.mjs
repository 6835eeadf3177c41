import { Bench } from '../measure/bench.mjs';
import { Pipes } from '../measure/pipes.mjs';
import { ratios, rotate } from '../measure/rounds.mjs';
import { ADD, ECHO, LARGE_ECHO, list } from '../workload/requests.mjs';
import { isPeer } from './servers.mjs';
import { TARGETS } from './targets.mjs';

const FIRST_TOOLS = 10;

/** Row 12: a server over stdio, beside one that reads lines with `readline` and checks nothing. */
export async function measureStdio({ pace }) {
  const bench = new Bench(pace, await Pipes.start());
  try {
    const servers = [];
    for (const key of ['readline', 'ours-stdio', 'sdk-stdio']) {
      if (isPeer(key) && pace.peerRounds === 0) continue;
      servers.push({ key, server: await bench.load.serve(key), peer: isPeer(key) });
    }
    const measure = async (name, request, { target, ...slice }) => {
      const results = await rotate(bench, servers, request, { seconds: 1, ...slice });
      const over = (key, metric) => ratios(results, key, 'readline', metric);
      const line = (title, metric, limits) => ({
        row: 12,
        name: title,
        ...limits,
        ours: over('ours-stdio', metric),
        peers: { sdk: over('sdk-stdio', metric), 'mcp-nest': [] },
      });
      return [line(`${name} x readline`, 'perSecond', target), line(`CPU per ${name} x readline`, 'cpu')];
    };
    const { one, many, large } = TARGETS[12];
    // Servers answer a hundred thousand lines a second, so they need as many to be warm.
    const crowd = { connections: 64, warmth: 10, target: many };
    return [
      ...(await measure('echo, 1 outstanding', ECHO, { connections: 1, warmth: 12, target: one })),
      ...(await measure('echo, 64 outstanding', ECHO, crowd)),
      ...(await measure('add, 64 outstanding', ADD, crowd)),
      ...(await measure('list, 64 outstanding', list(FIRST_TOOLS), crowd)),
      ...(await measure('echo of 1 MB, 2 outstanding', LARGE_ECHO, {
        connections: 2,
        seconds: 3,
        warmth: 0.02,
        target: large,
      })),
    ];
  } finally {
    await bench.load.stop();
  }
}
