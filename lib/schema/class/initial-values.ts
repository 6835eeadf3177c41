import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import { NotJsonError, toJsonValue, canonicalJson } from '../json-value.js';
import type { DtoClass } from '../schema-source.js';

/** The initialiser of a member gives a value that cannot be advertised: not JSON, or different each time. */
export const UNKNOWN_VALUE = Symbol('an initial value that is not advertised');

/** The values that the class-field initialisers of a class give, by member. */
export function readInitials(type: DtoClass): ReadonlyMap<string, unknown> {
  const [one, other] = [createInstance(type), createInstance(type)];
  const initials = new Map<string, unknown>();
  for (const [member, value] of Object.entries(one)) {
    if (value !== undefined) initials.set(member, readValue(value, (other as Record<string, unknown>)[member]));
  }
  return initials;
}

function createInstance(type: DtoClass): object {
  try {
    return new type();
  } catch (cause) {
    throw new UnsupportedSchemaError(
      `the class ${type.name} cannot be created without arguments, and its instances are what handlers receive. Give it a constructor without parameters that does not throw.`,
      { cause },
    );
  }
}

function readValue(value: unknown, again: unknown): unknown {
  if (value instanceof Date) return UNKNOWN_VALUE;
  try {
    const json = toJsonValue(value);
    return json !== undefined && canonicalJson(json) === canonicalJson(toJsonValue(again)) ? json : UNKNOWN_VALUE;
  } catch (error) {
    if (error instanceof NotJsonError) return UNKNOWN_VALUE;
    throw error;
  }
}
