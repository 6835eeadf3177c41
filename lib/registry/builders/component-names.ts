import { LONGEST_TIMER_MS } from '../../mcp.constants.js';
import { InvalidComponentError } from '../../errors/invalid-component.error.js';
import type { MetadataFault } from '../../model/metadata-fault.js';

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** The author's name, or the method's in snake_case. */
export function nameOf(given: string | undefined, method: string, owner: string): string {
  const name = given ?? snakeCase(method);
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new InvalidComponentError(
      owner,
      `the name ${JSON.stringify(name)} is not allowed. Use 1 to 128 of the characters A-Z a-z 0-9 _ . -`,
    );
  }
  return name;
}

function snakeCase(method: string): string {
  return method
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** Refuses options that no decorator knows, most of them slips of the pen. */
export function refuseUnknownOptions(options: object, known: readonly string[], owner: string): void {
  const unknown = Object.keys(options).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new InvalidComponentError(
      owner,
      `unknown option ${unknown.map((key) => `"${key}"`).join(', ')}. Known are ${known.join(', ')}.`,
    );
  }
}

export const COMMON_OPTIONS = ['name', 'title', 'description', 'icons', 'meta', 'timeoutMs', 'server'] as const;

/** The option `description` has to be text; a number or an object would break every list. */
export function requireText(value: unknown, option: string, owner: string): void {
  if (value !== undefined && typeof value !== 'string') {
    throw new InvalidComponentError(owner, `the option "${option}" must be a string.`);
  }
}

/**
 * What a rule says of an option that is there.
 *
 * @throws InvalidComponentError naming the place inside the option, and the cure.
 */
export function refuseFault(
  value: unknown,
  { option, owner }: { readonly option: string; readonly owner: string },
  find: (value: unknown) => MetadataFault | undefined,
): void {
  const fault = value === undefined ? undefined : find(value);
  if (fault !== undefined) {
    throw new InvalidComponentError(owner, `the option "${option}${fault.place}": ${fault.reason}`);
  }
}

/** The option `timeoutMs`: whole milliseconds, or `Infinity` for a component that may take for ever. */
export function requireTimeout(value: unknown, owner: string): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY) return;
  if (Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= LONGEST_TIMER_MS) return;
  throw new InvalidComponentError(
    owner,
    `the option "timeoutMs" must be a whole number of milliseconds from 1 to ${LONGEST_TIMER_MS}, or Infinity.`,
  );
}

/** Copies what is there, so that absent options are absent on the wire too. */
export function present<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
