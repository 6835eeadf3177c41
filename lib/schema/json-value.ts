/** A value that JSON cannot represent, and its place. */
export class NotJsonError extends Error {
  constructor(
    readonly path: readonly (string | number)[],
    reason: string,
  ) {
    super(reason);
  }
}

const MAX_DEPTH = 512;

/** The result of `JSON.parse(JSON.stringify(value))`, but values that would become `null` or `{}` are refused. */
export function toJsonValue(value: unknown): unknown {
  return copy(value, []);
}

/** Sets a member as data under any name: plain assignment of `__proto__` would change the prototype. */
export function setMember(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Freezes a JSON value at every depth. */
export function freezeJson<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) freezeJson(child);
  }
  return value;
}

function copy(value: unknown, path: readonly (string | number)[]): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new NotJsonError(path, 'must be a finite number');
      return value;
    case 'bigint':
      throw new NotJsonError(path, 'must not be a bigint');
    case 'object':
      return value === null ? null : copyObject(value, path);
    default:
      return undefined;
  }
}

function copyObject(value: object, path: readonly (string | number)[]): unknown {
  if (path.length > MAX_DEPTH)
    throw new NotJsonError(path.slice(0, 8), 'must not be nested this deeply or contain itself');
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const json: unknown = value.toJSON();
    return json === value ? undefined : copy(json, path);
  }
  if (Array.isArray(value)) return value.map((item, index) => copy(item, [...path, index]) ?? null);
  if (value instanceof Map || value instanceof Set) {
    throw new NotJsonError(path, `must not be a ${value instanceof Map ? 'Map' : 'Set'}`);
  }
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const copied = copy(member, [...path, name]);
    if (copied !== undefined) setMember(result, name, copied);
  }
  return result;
}

/** The same text for equal JSON values, in any order of their members; a different text for different values. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = value as Readonly<Record<string, unknown>>;
    let text = '';
    for (const name of Object.keys(fields).toSorted()) {
      if (fields[name] === undefined) continue;
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(fields[name])}`;
    }
    return `{${text}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** Returns whether no two items are equal; linear, where comparing pairs would be quadratic. */
export function hasUniqueItems(items: readonly unknown[]): boolean {
  const scalars = new Set<unknown>();
  const composites = new Set<string>();
  for (const item of items) {
    const isComposite = typeof item === 'object' && item !== null;
    const key = isComposite ? canonicalJson(item) : item;
    const seen: Set<unknown> = isComposite ? composites : scalars;
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}
