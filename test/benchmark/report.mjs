import { median } from './measure/rounds.mjs';
import { marginOf, verdictOf } from './rows/targets.mjs';

const HEADINGS = ['row', 'name', 'ours', 'min..max', 'must', 'stretch', 'verdict', 'SDK v2', 'MCP-Nest'];

/** Everything measured, one line each. */
export function table(cells) {
  const lines = cells.map((cell) => {
    const value = median(cell.ours);
    return [
      String(cell.row),
      cell.name,
      show(value, cell),
      `${show(Math.min(...cell.ours), cell)}..${show(Math.max(...cell.ours), cell)}`,
      limit(cell, cell.must),
      limit(cell, cell.stretch),
      verdictOf(cell, cell.ours) ?? '-',
      ...['sdk', 'mcp-nest'].map((peer) =>
        cell.peers[peer].length === 0 ? '-' : show(median(cell.peers[peer]), cell),
      ),
    ];
  });
  const all = [HEADINGS, HEADINGS.map(() => '---'), ...lines];
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((line) => line[column].length)));
  return all.map((line) => `| ${line.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`).join('\n');
}

/** One object for each row: the line that is nearest to its must speaks for the row, all lines are in `cells`. */
export function objects(cells) {
  return [...new Set(cells.map(({ row }) => row))].map((row) => {
    const lines = cells
      .filter((cell) => cell.row === row)
      .sort((a, b) => marginOf(a, median(a.ours)) - marginOf(b, median(b.ours)));
    const [worst] = lines;
    return { row, ...figures(worst), cells: lines.map(figures) };
  });
}

function figures(cell) {
  const ratio = median(cell.ours);
  return {
    name: cell.name,
    ratio: round(ratio),
    must: cell.must,
    stretch: cell.stretch,
    ...(cell.unit ? { unit: cell.unit } : {}),
    verdict: verdictOf(cell, cell.ours),
    min: round(Math.min(...cell.ours)),
    max: round(Math.max(...cell.ours)),
    peers: Object.fromEntries(
      Object.entries(cell.peers).flatMap(([peer, values]) =>
        values.length === 0 ? [] : [[peer, round(median(values))]],
      ),
    ),
  };
}

const round = (value) => Math.round(value * 1_000) / 1_000;

function show(value, { unit = '', signed }) {
  return unit === ''
    ? value.toFixed(2)
    : `${signed && value >= 0 ? '+' : ''}${value.toFixed(Math.abs(value) < 100 ? 1 : 0)} ${unit}`;
}

function limit({ direction, unit = '', signed }, value) {
  if (direction === undefined) return '-';
  return `${direction === 'floor' ? '>=' : '<='} ${signed ? '+' : ''}${value}${unit === '' ? '' : ` ${unit}`}`;
}
