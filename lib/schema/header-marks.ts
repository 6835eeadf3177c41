import { UnsupportedSchemaError } from '../errors/unsupported-schema.error.js';
import { isFields } from '../model/fields.js';
import type { JsonSchema } from '../model/json-schema.js';
import { listSubschemas } from './json-schema/json-schema.walker.js';
import { writePath } from './schema-issues.js';

export const HEADER_KEYWORD = 'x-mcp-header';

/** An argument that clients repeat in the header `Mcp-Param-<name>`. */
export interface HeaderMark {
  readonly name: string;
  /** Path of members from the root of the arguments. */
  readonly path: readonly string[];
  readonly type: HeaderType;
}

export type HeaderType = 'string' | 'integer' | 'boolean';

const NO_HEADER_NAME = 'is not a header name. Use letters, digits and hyphens only.';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The `x-mcp-header` marks of an input schema.
 *
 * @throws UnsupportedSchemaError for a mark for which clients would refuse the whole tool.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function readHeaderMarks(json: JsonSchema): HeaderMark[] {
  const marks: HeaderMark[] = [];
  const names = new Set<string>();
  /** `path` is undefined for a place that `properties` alone does not reach. */
  const visit = (schema: unknown, path: readonly string[] | undefined, place: string): void => {
    if (!isFields(schema)) return;
    if (Object.hasOwn(schema, HEADER_KEYWORD)) {
      const mark = readMark(schema, path, place);
      if (names.has(mark.name.toLowerCase())) {
        refuse(mark.name, place, 'is used twice, and header names ignore case. Choose another name.');
      }
      names.add(mark.name.toLowerCase());
      marks.push(mark);
    }
    for (const { schema: child, keyword, key } of listSubschemas(schema)) {
      const reachable = keyword === 'properties' && path !== undefined && key !== undefined;
      visit(
        child,
        reachable ? [...path, key] : undefined,
        reachable ? writePath([...path, key]) : `${place} ${keyword}`,
      );
    }
  };
  visit(json, [], '');
  return marks;
}

function readMark(schema: Record<string, unknown>, path: readonly string[] | undefined, place: string): HeaderMark {
  const name = schema[HEADER_KEYWORD];
  if (!isHeaderName(name)) refuse(name, place, NO_HEADER_NAME);
  if (path === undefined || path.length === 0) {
    refuse(
      name,
      place,
      'sits where no plain chain of `properties` leads. Mark a property of the root or of a nested object.',
    );
  }
  const { type } = schema;
  if (!isHeaderType(type)) refuse(name, place, wrongType(type));
  return { name, path, type };
}

/** Why a property with this schema cannot have a mark, as the end of a sentence; `undefined` if it can. */
export function findMarkFault(name: unknown, { type }: JsonSchema): string | undefined {
  if (!isHeaderName(name)) return NO_HEADER_NAME;
  return isHeaderType(type) ? undefined : wrongType(type);
}

const isHeaderName = (name: unknown): name is string => typeof name === 'string' && TOKEN.test(name);

const isHeaderType = (type: unknown): type is HeaderType =>
  type === 'string' || type === 'integer' || type === 'boolean';

/** Clients also refuse a list of types, which a nullable member has. */
function wrongType(type: unknown): string {
  const found = JSON.stringify(type) ?? 'one without a type';
  const cure =
    type === 'number'
      ? 'Let it be an integer, by `@IsInt()` or `z.int()`'
      : 'Mark a plain string, integer or boolean that cannot be null';
  return `needs a property of type "string", "integer" or "boolean", not ${found}. ${cure}, or take the mark away.`;
}

function refuse(name: unknown, place: string, reason: string): never {
  const where = place.trim() === '' ? 'at the root' : `at "${place.trim()}"`;
  throw new UnsupportedSchemaError(`the ${HEADER_KEYWORD} mark ${JSON.stringify(name)} ${where} ${reason}`);
}
