/** Members that a retry may change: it adds answers and state, and has its own `_meta`. */
const UNBOUND: ReadonlySet<string> = new Set(['"_meta"', '"requestState"', '"inputResponses"']);

/** Maximum depth that the message decoder accepts. */
const MAX_DEPTH = 128;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Returns equal texts for equal `params` of a JSON-RPC message, and different texts for different ones. It ignores the
 * top-level members `_meta`, `requestState` and `inputResponses`, the order of members, and escapes. Numbers are compared
 * as written: 1, 1.0 and 1e0 differ. A message without params has a text that no params have.
 *
 * @param message JSON that the message decoder has accepted.
 */
export function canonicalParams(message: string): string {
  const reader = new CanonicalReader(message.startsWith('\ufeff') ? message.slice(1) : message);
  const root = reader.members((name) => {
    if (name !== '"params"') return reader.skip();
    if (reader.peek() !== OPEN_BRACE) return reader.value();
    const params = reader.members((member) => (UNBOUND.has(member) ? reader.skip() : reader.value()));
    for (const unbound of UNBOUND) params.delete(unbound);
    return writeMembers(params);
  });
  return root.get('"params"') ?? '';
}

/**
 * Reads a valid text in one pass. `JSON.parse` would lose the spelling of numbers. Marking numbers before parsing would
 * take many times as long, and clients could cause that work with invented states.
 */
class CanonicalReader {
  private position = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  /** The next character after white space. */
  peek(): number {
    let code = this.text.charCodeAt(this.position);
    while (code <= SPACE) code = this.text.charCodeAt((this.position += 1));
    return code;
  }

  value(): string {
    switch (this.peek()) {
      case OPEN_BRACE:
        return writeMembers(this.members());
      case OPEN_BRACKET:
        return `[${this.items().join(',')}]`;
      case QUOTE:
        return this.string();
      default:
        return this.literal();
    }
  }

  /** Reads the members of an object by canonical name; the last duplicate counts. */
  members(readValue: (name: string) => string = () => this.value()): Map<string, string> {
    const members = new Map<string, string>();
    this.open(OPEN_BRACE);
    while (this.peek() !== CLOSE_BRACE) {
      const name = this.string();
      this.take(COLON);
      members.set(name, readValue(name));
      if (this.peek() !== CLOSE_BRACE) this.take(COMMA);
    }
    this.close();
    return members;
  }

  /** Skips a value. */
  skip(): string {
    switch (this.peek()) {
      case OPEN_BRACE:
        this.skipAll(OPEN_BRACE, CLOSE_BRACE);
        break;
      case OPEN_BRACKET:
        this.skipAll(OPEN_BRACKET, CLOSE_BRACKET);
        break;
      case QUOTE:
        this.endString();
        break;
      default:
        this.literal();
    }
    return '';
  }

  private skipAll(open: number, close: number): void {
    this.open(open);
    while (this.peek() !== close) {
      if (open === OPEN_BRACE) {
        this.endString();
        this.take(COLON);
      }
      this.skip();
      if (this.peek() !== close) this.take(COMMA);
    }
    this.close();
  }

  private items(): string[] {
    const items: string[] = [];
    this.open(OPEN_BRACKET);
    while (this.peek() !== CLOSE_BRACKET) {
      items.push(this.value());
      if (this.peek() !== CLOSE_BRACKET) this.take(COMMA);
    }
    this.close();
    return items;
  }

  /** Keeps a string without escapes as it is; writes one with escapes as `JSON.stringify` does. */
  private string(): string {
    const start = this.position;
    this.endString();
    const literal = this.text.slice(start, this.position);
    return literal.includes('\\') ? JSON.stringify(JSON.parse(literal)) : literal;
  }

  private endString(): void {
    this.take(QUOTE);
    let end = this.text.indexOf('"', this.position);
    while (end !== -1 && this.isEscaped(end)) end = this.text.indexOf('"', end + 1);
    if (end === -1) throw notJson();
    this.position = end + 1;
  }

  private isEscaped(position: number): boolean {
    let before = position - 1;
    while (this.text[before] === '\\') before -= 1;
    return (position - before) % 2 === 0;
  }

  /** A number, `true`, `false` or `null`. */
  private literal(): string {
    const start = this.position;
    let code = this.text.charCodeAt(start);
    while (code > SPACE && code !== COMMA && code !== CLOSE_BRACKET && code !== CLOSE_BRACE) {
      code = this.text.charCodeAt((this.position += 1));
    }
    if (this.position === start) throw notJson();
    return this.text.slice(start, this.position);
  }

  private open(bracket: number): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new TypeError(`The message is nested deeper than ${MAX_DEPTH}.`);
    this.take(bracket);
  }

  private close(): void {
    this.depth -= 1;
    this.position += 1;
  }

  private take(code: number): void {
    if (this.peek() !== code) throw notJson();
    this.position += 1;
  }
}

function notJson(): TypeError {
  return new TypeError('The message is not a JSON object.');
}

function writeMembers(members: ReadonlyMap<string, string>): string {
  const names = [...members.keys()].sort();
  return `{${names.map((name) => `${name}:${members.get(name)}`).join(',')}}`;
}
