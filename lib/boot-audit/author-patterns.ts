import { isFields, type Fields } from '../model/fields.js';
import type { ListedComponent } from '../registry/registered-component.js';
import { listSubschemas, type Subschema } from '../schema/json-schema/json-schema.walker.js';

/** A regular expression that an author wrote, and the arguments that it applies to. */
export interface AuthorPattern {
  /** `Class.method` of the component. */
  readonly owner: string;
  /** Place in the arguments, such as `lines[].sku`; empty for the whole arguments. */
  readonly place: string;
  readonly pattern: string;
}

/** Patterns that are matched against text of clients. Patterns beside a `format` come from a schema library. */
export function listPatterns(components: readonly ListedComponent[]): readonly AuthorPattern[] {
  return components.flatMap((component) => {
    const input = 'input' in component ? component.input : undefined;
    if (input === undefined) return [];
    const { owner } = component.host;
    return patternsOf(input.json, '').map((found) => ({ owner, ...found }));
  });
}

function patternsOf(schema: Fields, place: string): Omit<AuthorPattern, 'owner'>[] {
  const { pattern, format, patternProperties } = schema;
  const own = typeof pattern === 'string' && format === undefined ? [pattern] : [];
  const names = isFields(patternProperties) ? Object.keys(patternProperties) : [];
  return [
    ...[...own, ...names].map((text) => ({ place, pattern: text })),
    ...listSubschemas(schema).flatMap((child) =>
      isFields(child.schema) ? patternsOf(child.schema, placeOf(place, child)) : [],
    ),
  ];
}

function placeOf(parent: string, { keyword, key = '' }: Subschema): string {
  switch (keyword) {
    case 'properties':
      return parent === '' ? key : `${parent}.${key}`;
    case 'items':
    case 'prefixItems':
    case 'contains':
      return `${parent}[]`;
    default:
      return parent;
  }
}
