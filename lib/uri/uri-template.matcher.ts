import { isUriText, canonicalUri } from './canonical-uri.js';
import { percentDecode } from './uri-template.parser.js';
import type { ParsedTemplate, Segment, VariableSegment } from './uri-template.parser.js';

/** `{/v*}` binds a list of segments, every other variable a string; absent query parameters are not bound. */
export type TemplateVariables = Readonly<Record<string, string | readonly string[]>>;

/**
 * `refused` means that the URI has the template's shape, but `variable` contains a slash, a backslash, NUL or a dot
 * segment. Clients get the same answer as for `none`: not found.
 */
export type TemplateMatch =
  | { readonly kind: 'match'; readonly values: TemplateVariables }
  | { readonly kind: 'refused'; readonly variable: string }
  | { readonly kind: 'none' };

const NONE: TemplateMatch = { kind: 'none' };
const UNSAFE_CHARACTER = /[/\\\0]/;
const ASCII = /^[ -~]*$/;

/** Every pass over the URI is a native scan that starts once, so the cost is linear in its length. */
export function matchTemplate(template: ParsedTemplate, uri: string): TemplateMatch {
  const parts = splitUri(template.scheme, uri);
  if (parts === undefined) return NONE;
  const bindings = new Bindings();
  const matched =
    matchSegments([template.authority], [parts.authority], bindings) &&
    matchSegments(template.path, parts.path, bindings) &&
    matchQuery(template.query, parts.query, bindings);
  return matched ? bindings.result() : NONE;
}

interface UriParts {
  readonly authority: string;
  readonly path: readonly string[];
  readonly query?: string;
}

function splitUri(scheme: string, uri: string): UriParts | undefined {
  const start = scheme.length + 3;
  const head = uri.slice(0, start);
  // Two non-ASCII letters have a lower case in ASCII.
  if (!ASCII.test(head) || head.toLowerCase() !== `${scheme}://`) return undefined;
  const rest = uri.slice(start);
  if (rest.includes('#') || !isUriText(rest)) return undefined;
  const mark = rest.indexOf('?');
  const hierarchy = mark === -1 ? rest : rest.slice(0, mark);
  const slash = hierarchy.indexOf('/');
  const authority = slash === -1 ? hierarchy : hierarchy.slice(0, slash);
  if (/[@:]/.test(authority)) return undefined;
  const pathText = slash === -1 ? '' : hierarchy.slice(slash);
  if (pathText.includes('//') || pathText.endsWith('/')) return undefined;
  const path = pathText.split('/').slice(1);
  return mark === -1 ? { authority, path } : { authority, path, query: rest.slice(mark + 1) };
}

class Bindings {
  private readonly values = new Map<string, string | readonly string[]>();
  private refused: string | undefined;

  /** False when the variable already has another value. */
  bind(name: string, value: string | readonly string[]): boolean {
    const earlier = this.values.get(name);
    if (earlier === undefined) {
      this.values.set(name, value);
      return true;
    }
    return typeof earlier === 'string' ? earlier === value : sameItems(earlier, value);
  }

  refuse(name: string): void {
    this.refused ??= name;
  }

  result(): TemplateMatch {
    if (this.refused !== undefined) return { kind: 'refused', variable: this.refused };
    return { kind: 'match', values: Object.fromEntries(this.values) };
  }
}

function sameItems(one: readonly string[], other: string | readonly string[]): boolean {
  return typeof other !== 'string' && one.length === other.length && one.every((item, index) => item === other[index]);
}

/** At most one segment of a template is open-ended, so all segments before and after it have a fixed position. */
function matchSegments(segments: readonly Segment[], texts: readonly string[], bindings: Bindings): boolean {
  const surplus = texts.length - segments.length;
  if (surplus < 0) return false;
  let taken = 0;
  for (const segment of segments) {
    if (segment.kind === 'rest' || segment.kind === 'list') {
      if (!matchOpen(segment.kind, segment.name, texts.slice(taken, taken + surplus + 1), bindings)) return false;
      taken += surplus + 1;
      continue;
    }
    const text = texts[taken];
    const fits = segment.kind === 'literal' ? isLiteral(segment.text, text) : matchVariable(segment, text, bindings);
    if (!fits) return false;
    taken += 1;
  }
  return taken === texts.length;
}

/** The canonical form is never shorter, so the length of the literal bounds the cost. */
function isLiteral(literal: string, text: string): boolean {
  if (literal === text) return true;
  return literal.includes('%') && text.length <= literal.length && canonicalUri(text) === literal;
}

function matchVariable({ name, prefix, suffix }: VariableSegment, raw: string, bindings: Bindings): boolean {
  const text = prefix.includes('%') || suffix.includes('%') ? (canonicalUri(raw) ?? raw) : raw;
  if (text.length <= prefix.length + suffix.length) return false;
  if (!text.startsWith(prefix) || !text.endsWith(suffix)) return false;
  const value = percentDecode(text.slice(prefix.length, text.length - suffix.length));
  if (value === undefined) return false;
  if (UNSAFE_CHARACTER.test(value) || value === '.' || value === '..') bindings.refuse(name);
  return bindings.bind(name, value);
}

function matchOpen(kind: 'rest' | 'list', name: string, texts: readonly string[], bindings: Bindings): boolean {
  if (kind === 'rest') {
    const value = percentDecode(texts.join('/'));
    return value !== undefined && bindings.bind(name, value);
  }
  const values = texts.map(percentDecode);
  return values.every((value) => value !== undefined) && bindings.bind(name, values);
}

function matchQuery(names: readonly string[], query: string | undefined, bindings: Bindings): boolean {
  if (query === undefined) return true;
  const pairs = query.split('&');
  if (pairs.length > names.length) return false;
  const seen = new Set<string>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals === -1) return false;
    const name = pair.slice(0, equals);
    if (seen.has(name) || !names.includes(name)) return false;
    seen.add(name);
    const value = percentDecode(pair.slice(equals + 1));
    if (value === undefined || !bindings.bind(name, value)) return false;
  }
  return true;
}
