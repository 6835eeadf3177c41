import { LONGEST_TIMER_MS } from '../../mcp.constants.js';
import { InvalidComponentError } from '../../errors/invalid-component.error.js';
import type { MetadataFault } from '../../model/metadata-fault.js';

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** The declared name, or the method name in snake_case. */
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

/** Refuses unknown options, which are mostly typing errors. */
export function refuseUnknownOptions(options: object, known: readonly string[], owner: string): void {
  const unknown = Object.keys(options).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new InvalidComponentError(
      owner,
      `unknown option ${unknown.map((key) => `"${key}"`).join(', ')}. Valid options: ${known.join(', ')}.`,
    );
  }
}

export const COMMON_OPTIONS = ['name', 'title', 'description', 'icons', 'meta', 'timeoutMs', 'server'] as const;

/** Refuses a `description` that is not a string, since it would break every list. */
export function requireText(value: unknown, option: string, owner: string): void {
  if (value !== undefined && typeof value !== 'string') {
    throw new InvalidComponentError(owner, `the option "${option}" must be a string.`);
  }
}

/**
 * Checks an option against a rule, if the option is set.
 *
 * @throws InvalidComponentError with the place inside the option, and the fix.
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

/** Checks `timeoutMs`: whole milliseconds, or `Infinity` for no limit. */
export function requireTimeout(value: unknown, owner: string): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY) return;
  if (Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= LONGEST_TIMER_MS) return;
  throw new InvalidComponentError(
    owner,
    `the option "timeoutMs" must be a whole number of milliseconds from 1 to ${LONGEST_TIMER_MS}, or Infinity.`,
  );
}

/** Copies the defined members, so that absent options are absent in messages too. */
export function present<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
