import type { ParsedTemplate, Segment } from './uri-template.parser.js';
import type { TemplateVariables } from './uri-template.matcher.js';

type Value = string | readonly string[] | undefined;

/**
 * Writes the URI as RFC 6570 defines. Two differences ensure that the template matches the result: a missing or empty
 * path variable throws, and the first query parameter always gets the "?".
 */
export function expandTemplate(template: ParsedTemplate, values: Partial<TemplateVariables>): string {
  const valueOf = (name: string): Value => (Object.hasOwn(values, name) ? values[name] : undefined);
  const segments = [template.authority, ...template.path].map((segment) => expandSegment(segment, valueOf));
  const query = template.query.flatMap((name) => {
    const value = valueOf(name);
    return value === undefined ? [] : `${name}=${encodeSimple(text(name, value))}`;
  });
  return `${template.scheme}://${segments.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

function expandSegment(segment: Segment, valueOf: (name: string) => Value): string {
  switch (segment.kind) {
    case 'literal':
      return segment.text;
    case 'variable': {
      const value = text(segment.name, valueOf(segment.name));
      return segment.prefix + encodeSimple(filled(segment.name, value)) + segment.suffix;
    }
    case 'rest':
      return encodeReserved(filled(segment.name, text(segment.name, valueOf(segment.name))));
    case 'list': {
      const value = valueOf(segment.name);
      if (value === undefined || value.length === 0) throw missing(segment.name);
      const items = typeof value === 'string' ? [value] : value;
      return items.map((item) => encodeSimple(filled(segment.name, item))).join('/');
    }
    default:
      return segment satisfies never;
  }
}

function text(name: string, value: Value): string {
  if (value === undefined) throw missing(name);
  if (typeof value !== 'string') throw new TypeError(`The variable "${name}" takes a text, not a list.`);
  return value;
}

function filled(name: string, value: string): string {
  if (value === '') throw missing(name);
  return value;
}

function missing(name: string): TypeError {
  return new TypeError(`The variable "${name}" needs a value that is not empty.`);
}

/** Everything except the unreserved characters of RFC 3986; `encodeURIComponent` leaves five more unchanged. */
function encodeSimple(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Reserved characters and complete escapes stay unchanged, as RFC 6570 section 3.2.3 requires. */
function encodeReserved(value: string): string {
  return value.replace(/%(?![0-9A-Fa-f]{2})|[^%A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]+/g, encodeURIComponent);
}
