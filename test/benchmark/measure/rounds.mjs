/** On a busy machine, a server may not get a turn in less. */
const MIN_SLICE_SECONDS = 0.1;

/**
 * Measures the same request against several servers, again and again in rotating order, so that whatever else the
 * machine does falls on all of them. Every server has answered rightly and is warm before its first slice counts.
 * Peers take part in `peerRounds` of the rounds. A slice lasts some `seconds` times the pace's, or an `amount` of answers.
 */
export async function rotate(bench, servers, request, { connections, seconds, amount, warmth = 1 }) {
  const { rounds, peerRounds } = bench.pace;
  const length =
    amount === undefined ? { seconds: Math.max(bench.pace.seconds * seconds, MIN_SLICE_SECONDS) } : { amount };
  const results = new Map(servers.map(({ key }) => [key, []]));
  for (const { server, peer } of servers) await bench.warm(server, request, { connections, peer, warmth });
  for (let round = 0; round < rounds; round += 1) {
    const present = servers.filter(({ peer }) => !peer || round < peerRounds);
    for (const { key, server } of shifted(present, round)) {
      const slice = await bench.load.run(server, request, { connections, ...length });
      bench.observe(key, slice);
      results.get(key)[round] = slice;
    }
  }
  return results;
}

/** The same servers, begun with another one in every round. */
export function shifted(servers, round) {
  const shift = round % servers.length;
  return [...servers.slice(shift), ...servers.slice(0, shift)];
}

/** One ratio for each round in which both took part. */
export function ratios(results, numerator, denominator, metric) {
  const base = results.get(denominator);
  return (results.get(numerator) ?? []).flatMap((slice, round) =>
    slice === undefined || base[round] === undefined ? [] : [slice[metric] / base[round][metric]],
  );
}

export const median = (values) => quartilesOf(values)[1];

/** A quarter, a half and three quarters of the way through the values. */
export function quartilesOf(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return [0.25, 0.5, 0.75].map((share) => {
    const place = share * (sorted.length - 1);
    const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return below + (above - below) * (place - Math.floor(place));
  });
}
