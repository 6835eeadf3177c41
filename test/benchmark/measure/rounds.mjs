/**
 * Measures the same request against several servers, again and again in rotating order, so that whatever else the
 * machine does falls on all of them. Every server has answered rightly and is warm before its first slice counts.
 * Peers take part in `peerRounds` of the rounds.
 */
export async function rotate(bench, servers, request, { connections, seconds, warmth = 1 }) {
  const { rounds, peerRounds } = bench.pace;
  const results = new Map(servers.map(({ key }) => [key, []]));
  for (const { server, peer } of servers) await bench.warm(server, request, { connections, peer, warmth });
  for (let round = 0; round < rounds; round += 1) {
    const present = servers.filter(({ peer }) => !peer || round < peerRounds);
    const shift = round % present.length;
    for (const { key, server } of [...present.slice(shift), ...present.slice(0, shift)]) {
      const slice = await bench.load.run(server, request, { connections, seconds: bench.pace.seconds * seconds });
      bench.observe(key, slice);
      results.get(key)[round] = slice;
    }
  }
  return results;
}

/** One ratio for each round in which both took part. */
export function ratios(results, numerator, denominator, metric) {
  const base = results.get(denominator);
  return (results.get(numerator) ?? []).flatMap((slice, round) =>
    slice === undefined || base[round] === undefined ? [] : [slice[metric] / base[round][metric]],
  );
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
