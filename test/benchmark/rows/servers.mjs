/** Servers as the rounds take them; `names` of peers are marked, so that they may sit rounds out, or never start. */
export async function enlist(bench, names, options = {}) {
  const enlisted = [];
  for (const name of names) {
    if (isPeer(name) && bench.pace.peerRounds === 0) continue;
    enlisted.push({ key: name, server: await bench.fleet.get(name, options), peer: isPeer(name) });
  }
  return enlisted;
}

const PEERS = Object.freeze(['sdk', 'sdk-stdio', 'mcp-nest-express', 'mcp-nest-fastify']);

export const isPeer = (name) => PEERS.includes(name);

/** The peers that stand beside us on an adapter; the SDK has no Nest below it and is shown beside both. */
export const peersOn = (adapter) => ({ sdk: 'sdk', 'mcp-nest': `mcp-nest-${adapter}` });

/** The same figure for each peer. */
export function forPeers(adapter, figure) {
  return Object.fromEntries(Object.entries(peersOn(adapter)).map(([peer, name]) => [peer, figure(name)]));
}
