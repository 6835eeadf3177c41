/** What must hold, and what would be fine work. `floor`: not less; `ceiling`: not more. */
const floor = (must, stretch) => ({ direction: 'floor', must, stretch });
const ceiling = (must, stretch, unit = '') => ({ direction: 'ceiling', must, stretch, unit });

export const TARGETS = Object.freeze({
  1: { express: floor(0.9, 1.15) },
  2: { fastify: floor(0.85, 0.95) },
  3: { express: ceiling(1.1, 0.85), fastify: ceiling(1.25, 1.1) },
  4: { express: floor(0.17, 0.22), fastify: floor(0.55, 0.65) },
  5: { express: ceiling(10, 7, 'kB'), fastify: ceiling(10, 7, 'kB') },
  6: { express: floor(0.9, 0.97), fastify: floor(0.9, 0.97) },
  7: { express: floor(0.9, 1.3), fastify: floor(0.9, 1.3) },
  8: { express: ceiling(1.15, 1) },
  9: { express: ceiling(1.15, 1), fastify: ceiling(1.15, 1) },
  10: { express: ceiling(150, 50, 'ms'), fastify: ceiling(150, 50, 'ms') },
  start: { express: ceiling(20, 5, 'MB'), fastify: ceiling(20, 5, 'MB') },
  loaded: { express: ceiling(30, 10, 'MB'), fastify: ceiling(30, 10, 'MB') },
});

const TITLES = Object.freeze({ express: 'Express', fastify: 'Fastify' });

/** One line of the report: our values and the peers', a value for each round. */
export function cell({ row, name, adapter, target = TARGETS[row], ours, peers }) {
  return { row, name: `${name}, ${TITLES[adapter]}`, ...target[adapter], ours, peers };
}

export function verdictOf({ direction, must, stretch }, value) {
  const holds = (limit) => (direction === 'floor' ? value >= limit : value <= limit);
  if (holds(stretch)) return 'stretch';
  return holds(must) ? 'must' : 'MISSED';
}

/** How far a value is from its must, as a share of it: negative is missed. Ranks the lines of one row. */
export function marginOf({ direction, must }, value) {
  return direction === 'floor' ? value / must - 1 : 1 - value / must;
}
