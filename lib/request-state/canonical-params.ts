/** What a retry may change: it carries answers and state, and its envelope is its own. */
const UNBOUND = new Set(['_meta', 'requestState', 'inputResponses'].map((name) => markString(name)));

/** The decoder of messages accepts no more. */
const MAX_DEPTH = 128;

/** Every string and every number of a valid JSON text; a string from quote to quote, whatever is in it. */
const LEAVES = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * One text for equal `params` of a JSON-RPC message, and different texts for different ones; `_meta`, `requestState` and
 * `inputResponses` directly in them do not count. Order of members and escapes make no difference. Numbers count as they
 * are written: 1, 1.0 and 1e0 are three. No text of params is equal to that of a message without.
 *
 * @param message JSON that the decoder of messages has accepted.
 */
export function canonicalParams(message: string): string {
  const root = parseMarked(message.startsWith('\ufeff') ? message.slice(1) : message);
  if (!isFields(root)) throw new TypeError('A JSON-RPC message is an object.');
  const params = root[markString('params')];
  if (params === undefined) return '';
  return isFields(params) ? writeMembers(params, 1, UNBOUND) : write(params, 1);
}

type Marked = string | boolean | null | readonly Marked[] | Fields;

interface Fields {
  readonly [markedName: string]: Marked;
}

/**
 * Numbers become strings, so that parsing leaves them as they are; a mark in front tells them from real strings. Marked
 * names are safe as well: none is `__proto__`, and none looks like an index.
 */
function parseMarked(text: string): Marked {
  const marked = text.replace(LEAVES, (leaf) => (leaf.startsWith('"') ? `"s${leaf.slice(1)}` : `"n${leaf}"`));
  return JSON.parse(marked) as Marked;
}

function markString(text: string): string {
  return `s${text}`;
}

function isFields(value: Marked): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function write(value: Marked, depth: number): string {
  if (typeof value === 'string') return value.startsWith('n') ? value.slice(1) : JSON.stringify(value.slice(1));
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth > MAX_DEPTH) throw new TypeError(`The message is nested deeper than ${MAX_DEPTH}.`);
  if (isFields(value)) return writeMembers(value, depth);
  return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
}

function writeMembers(fields: Fields, depth: number, unbound?: ReadonlySet<string>): string {
  const members = Object.entries(fields)
    .filter(([name]) => unbound?.has(name) !== true)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name.slice(1))}:${write(value, depth + 1)}`);
  return `{${members.join(',')}}`;
}
