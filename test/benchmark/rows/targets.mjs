import { quartilesOf } from '../measure/rounds.mjs';

/** What must hold, and what would be fine work. `floor`: not less; `ceiling`: not more; `over`: not more beyond another. */
const floor = (must, stretch) => ({ direction: 'floor', must, stretch });
const ceiling = (must, stretch, unit = '') => ({ direction: 'ceiling', must, stretch, unit });
const over = (must, stretch, unit) => ({ ...ceiling(must, stretch, unit), signed: true });

export const TARGETS = Object.freeze({
  1: { express: floor(1, 1.15) },
  2: { fastify: floor(0.9, 0.95) },
  3: { express: ceiling(1.1, 0.85), fastify: ceiling(1.25, 1.1) },
  4: { express: floor(0.17, 0.22), fastify: floor(0.55, 0.65) },
  5: { express: over(2, 1, 'kB'), fastify: over(4, 2, 'kB') },
  6: { express: floor(0.9, 0.97), fastify: floor(0.9, 0.97) },
  7: { express: floor(0.9, 1.3), fastify: floor(0.9, 1.3) },
  8: { express: ceiling(1.15, 1) },
  9: { express: ceiling(1.15, 1), fastify: ceiling(1.15, 1) },
  10: { express: over(150, 50, 'ms'), fastify: over(150, 50, 'ms') },
  12: { one: floor(0.8, 1), many: floor(0.8, 1.5), large: floor(0.8, 1) },
  13: { express: ceiling(15, 5, 'us'), fastify: ceiling(15, 5, 'us') },
  14: { express: ceiling(16, 13, 'kB'), fastify: ceiling(12, 10, 'kB') },
  15: { express: ceiling(1.5, 1.1), fastify: ceiling(1.5, 1.1) },
  16: { express: floor(0.7, 0.9), fastify: floor(0.7, 0.9) },
  17: { express: floor(1.2, 1.3), fastify: floor(1.2, 1.3) },
  18: { listener: floor(0.9, 0.95) },
  start: { express: over(20, 5, 'MB'), fastify: over(20, 5, 'MB') },
  loaded: { express: over(30, 10, 'MB'), fastify: over(30, 10, 'MB') },
});

const TITLES = Object.freeze({ express: 'Express', fastify: 'Fastify', listener: 'own listener' });

/** One line of the report: our values and the peers', a value for each round. */
export function cell({ row, name, adapter, target = TARGETS[row], ours, peers }) {
  return { row, name: `${name}, ${TITLES[adapter]}`, ...target[adapter], ours, peers };
}

/** A line that explains another one and has no limits. */
export function remark({ row, name, adapter, ours, peers }) {
  return { row, name: `${name}, ${TITLES[adapter]}`, ours, peers };
}

/**
 * Nothing for a line without limits. Half of the rounds lie between the quartiles: as long as the must does too, another
 * run may say the opposite.
 */
export function verdictOf({ direction, must, stretch }, values) {
  if (direction === undefined) return undefined;
  const holds = (value, limit) => (direction === 'floor' ? value >= limit : value <= limit);
  const [low, middle, high] = quartilesOf(values);
  if (holds(low, must) !== holds(high, must)) return 'unsettled';
  if (!holds(middle, must)) return 'MISSED';
  return holds(middle, stretch) ? 'stretch' : 'must';
}

/** How far a value is from its must, as a share of it: negative is missed. Ranks the lines of one row, those without limits last. */
export function marginOf({ direction, must }, value) {
  if (direction === undefined) return Number.POSITIVE_INFINITY;
  return direction === 'floor' ? value / must - 1 : 1 - value / must;
}
