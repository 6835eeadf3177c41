import { canonicalUri } from './canonical-uri.js';
import { InvalidUriTemplateError } from '../errors/invalid-uri-template.error.js';

export const MAX_TEMPLATE_BYTES = 1_024;
export const MAX_TEMPLATE_VARIABLES = 32;

export interface LiteralSegment {
  readonly kind: 'literal';
  readonly text: string;
}

export interface VariableSegment {
  readonly kind: 'variable';
  readonly name: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** `{+v}` */
export interface RestSegment {
  readonly kind: 'rest';
  readonly name: string;
}

/** `{/v*}` */
export interface ListSegment {
  readonly kind: 'list';
  readonly name: string;
}

export type SingleSegment = LiteralSegment | VariableSegment;
/** Takes one or more segments; a template has at most one of them. */
export type OpenSegment = RestSegment | ListSegment;
export type Segment = SingleSegment | OpenSegment;

export interface ParsedTemplate {
  readonly scheme: string;
  readonly authority: SingleSegment;
  readonly path: readonly Segment[];
  readonly query: readonly string[];
  readonly variables: readonly string[];
}

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//;
const VARIABLE_NAME = /^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/;
const FORBIDDEN_LITERAL = /[\s\p{Cc}"'<>\\^`|]/u;
const RESERVED_NAMES = new Set(['uri', '_meta', '__proto__']);
const WHOLE_SEGMENTS = 'Write it between slashes, as in "scheme://host/{+path}" or "scheme://host{/path*}/end"';

/** Decodes percent escapes exactly once; `undefined` for a broken escape and for bytes that are not UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function parseTemplate(source: string): ParsedTemplate {
  return new TemplateReader(source).read();
}

interface OpenedSegment {
  prefix: string;
  suffix: string;
  name?: string;
  kind: 'single' | 'rest' | 'list';
}

class TemplateReader {
  private readonly segments: OpenedSegment[] = [{ prefix: '', suffix: '', kind: 'single' }];
  private readonly query: string[] = [];
  private readonly single = new Set<string>();
  private readonly listed = new Set<string>();
  private operator: string | undefined;
  private occurrences = 0;
  private queryOpen = false;

  constructor(private readonly source: string) {}

  read(): ParsedTemplate {
    if (Buffer.byteLength(this.source) > MAX_TEMPLATE_BYTES) {
      this.fail(`is longer than ${MAX_TEMPLATE_BYTES} bytes`, 'Shorten it');
    }
    const scheme = SCHEME.exec(this.source);
    if (scheme?.[1] === undefined) {
      return this.fail('does not begin with a literal scheme and "://"', 'Write it as "scheme://host/{variable}"');
    }
    this.readParts(scheme[0].length);
    const [authority, ...path] = this.segments.map((segment, index) => this.close(segment, index));
    if (authority === undefined || authority.kind === 'rest' || authority.kind === 'list') {
      return this.fail('has an open-ended variable in the authority', WHOLE_SEGMENTS);
    }
    if (path.length === 0 && authority.kind === 'literal' && authority.text === '') {
      this.fail('has neither an authority nor a path', 'Add one, as in "scheme://{name}"');
    }
    const names = [...this.segments.flatMap((segment) => segment.name ?? []), ...this.query];
    const variables = [...new Set(names)];
    return { scheme: scheme[1].toLowerCase(), authority, path, query: this.query, variables };
  }

  private readParts(start: number): void {
    let position = start;
    while (position < this.source.length) {
      const open = this.source.indexOf('{', position);
      const end = open === -1 ? this.source.length : open;
      if (end > position) this.addLiteral(this.source.slice(position, end));
      if (open === -1) return;
      const close = this.source.indexOf('}', open);
      if (close === -1) this.fail('has "{" without "}"', 'Close it, or write "%7B" for a literal brace');
      this.addExpression(this.source.slice(open + 1, close));
      position = close + 1;
    }
  }

  private addLiteral(text: string): void {
    if (this.queryOpen) this.fail(`has text after its query`, 'Put "{?a,b}" and "{&c}" last');
    if (text.includes('?')) this.fail('has a literal query', 'Declare the parameters as "{?name}"');
    if (text.includes('#')) this.fail('has a fragment', 'Remove it: a fragment never reaches a server');
    if (text.includes('}')) this.fail('has "}" without "{"', 'Open it, or write "%7D" for a literal brace');
    const forbidden = FORBIDDEN_LITERAL.test(text) || percentDecode(text) === undefined;
    const canonical = forbidden ? undefined : canonicalUri(text);
    if (canonical === undefined) {
      return this.fail(`has characters that a URI cannot hold`, 'Percent-encode them as UTF-8');
    }
    const [first = '', ...more] = canonical.split('/');
    if (first !== '') this.extend(first);
    for (const chunk of more) this.segments.push({ prefix: chunk, suffix: '', kind: 'single' });
  }

  private extend(text: string): void {
    const segment = this.current();
    if (segment.kind !== 'single') this.fail('has text beside an open-ended variable', WHOLE_SEGMENTS);
    if (segment.name === undefined) segment.prefix += text;
    else segment.suffix += text;
  }

  private addExpression(body: string): void {
    const operator = /^[+/?&#.;=,!@|]/.exec(body)?.[0] ?? '';
    const list = body.slice(operator.length);
    switch (operator) {
      case '?':
      case '&':
        return this.addQuery(operator, list);
      case '+':
      case '/':
        return this.addOpen(operator, list);
      case '':
        if (this.queryOpen) this.fail('has a variable after its query', 'Put "{?a,b}" and "{&c}" last');
        return this.addVariable(this.name(list, `{${body}}`));
      default:
        return this.fail(`uses "{${body}}"`, 'Use {v}, {+v}, {/v}, {/v*} or a trailing {?a,b}{&c}');
    }
  }

  private addVariable(name: string): void {
    const segment = this.current();
    if (segment.kind !== 'single') this.fail('has a variable beside an open-ended one', WHOLE_SEGMENTS);
    if (segment.name !== undefined) {
      this.fail('has two variables in one segment', 'Separate them with "/", or use one variable and split its value');
    }
    segment.name = this.declare(name, this.single);
  }

  private addOpen(operator: '+' | '/', list: string): void {
    if (this.queryOpen) this.fail('has a variable after its query', 'Put "{?a,b}" and "{&c}" last');
    if (this.operator !== undefined) this.fail('uses more than one of {+v}, {/v} and {/v*}', 'Keep one of them');
    this.operator = operator;
    const exploded = operator === '/' && list.endsWith('*');
    const name = this.name(exploded ? list.slice(0, -1) : list, `{${operator}${list}}`);
    if (operator === '+') {
      const segment = this.current();
      if (segment.prefix !== '' || segment.name !== undefined || segment.kind !== 'single') {
        this.fail(`has "{+${list}}" beside other text`, WHOLE_SEGMENTS);
      }
      segment.kind = 'rest';
      segment.name = this.declare(name, this.single);
      return;
    }
    this.segments.push({ prefix: '', suffix: '', kind: exploded ? 'list' : 'single' });
    this.current().name = this.declare(name, exploded ? this.listed : this.single);
  }

  private addQuery(operator: '?' | '&', list: string): void {
    if ((operator === '?') === this.queryOpen) {
      this.fail(`has "{${operator}${list}}" out of order`, 'Write one "{?a,b}", then "{&c}"');
    }
    this.queryOpen = true;
    for (const item of list.split(',')) {
      const name = this.name(item, `{${operator}${list}}`);
      if (this.query.includes(name)) this.fail(`repeats the query parameter "${name}"`, 'Declare it once');
      this.query.push(this.declare(name, this.single));
    }
  }

  private name(text: string, expression: string): string {
    if (text.includes(',')) this.fail(`has several variables in "${expression}"`, 'Write one expression a variable');
    if (/[*:]/.test(text)) this.fail(`has a modifier in "${expression}"`, 'Use {v}, or {/v*} for several segments');
    if (!VARIABLE_NAME.test(text)) {
      this.fail(`has an invalid variable name in "${expression}"`, 'Use letters, digits, "_" and inner dots');
    }
    if (RESERVED_NAMES.has(text)) this.fail(`uses the reserved variable "${text}"`, 'Rename it');
    return text;
  }

  private declare(name: string, kind: Set<string>): string {
    const other = kind === this.single ? this.listed : this.single;
    if (other.has(name)) this.fail(`binds "${name}" to a list and to a text`, 'Rename one of them');
    this.occurrences += 1;
    if (this.occurrences > MAX_TEMPLATE_VARIABLES) {
      this.fail(`has more than ${MAX_TEMPLATE_VARIABLES} variables`, 'Take a "{+path}" and split its value');
    }
    kind.add(name);
    return name;
  }

  private close(segment: OpenedSegment, index: number): Segment {
    const { prefix, suffix, name, kind } = segment;
    if (name === undefined) {
      if (prefix === '' && index > 0) this.fail('has an empty path segment', 'Remove the doubled or trailing "/"');
      if (index === 0) this.checkAuthority(prefix);
      return { kind: 'literal', text: prefix };
    }
    if (kind !== 'single') return { kind, name };
    if (index === 0) this.checkAuthority(prefix + suffix);
    return { kind: 'variable', name, prefix, suffix };
  }

  private checkAuthority(text: string): void {
    if (/[@:[\]]/.test(text)) this.fail('has a port, user or IP literal', 'Use a plain name before the first "/"');
  }

  private current(): OpenedSegment {
    return this.segments[this.segments.length - 1];
  }

  private fail(problem: string, cure: string): never {
    throw new InvalidUriTemplateError(this.source, problem, cure);
  }
}
