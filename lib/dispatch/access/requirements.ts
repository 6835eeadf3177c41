import type { AccessRule } from '../../decorators/access.decorator.js';
import { ACCESS_METADATA } from '../../mcp.constants.js';
import type { Fault } from '../../model/fault.js';
import type { Fields } from '../../model/fields.js';
import type { ComponentHost } from '../../registry/registered-component.js';

type NamedRule = Exclude<AccessRule, { kind: 'nothing' }>;

/** The scopes and roles that the decorators of one component ask of a caller. */
export class Requirements {
  private readonly scopes: readonly string[];

  private constructor(private readonly rules: readonly NamedRule[]) {
    this.scopes = [...new Set(rules.flatMap(({ kind, names }) => (kind === 'scopes' ? names : [])))];
  }

  /** Nothing where nothing is asked. */
  static of({ prototype, method }: ComponentHost): Requirements | undefined {
    const own = rulesAt((prototype as Readonly<Record<string, unknown>>)[method]);
    const around = own.lifted ? [] : rulesAt(prototype.constructor).rules;
    const rules = [...around, ...own.rules];
    return rules.length === 0 ? undefined : new Requirements(rules);
  }

  refusalFor(auth: unknown): Fault | undefined {
    if (auth === undefined || auth === null) {
      return { kind: 'unauthenticated', message: 'The caller has to authenticate' };
    }
    const scopes = scopesOf(auth);
    const missing = this.scopes.filter((scope) => !scopes.includes(scope));
    if (missing.length > 0) {
      return { kind: 'forbidden', message: `Missing scope: ${missing.join(', ')}`, scopes: this.scopes };
    }
    const roles = namesIn((auth as Fields)['roles']);
    return this.rules.every((rule) => holds(rule, roles))
      ? undefined
      : { kind: 'forbidden', message: 'The caller lacks a role' };
  }
}

/** Up the chain of a class, or from what carries a function to the function itself, until something lifts the rest. */
function rulesAt(place: unknown): { readonly rules: readonly NamedRule[]; readonly lifted: boolean } {
  const rules: NamedRule[] = [];
  for (let link = place; typeof link === 'function'; link = Object.getPrototypeOf(link) as unknown) {
    const found = (Reflect.getOwnMetadata(ACCESS_METADATA, link) ?? []) as readonly AccessRule[];
    for (const rule of found) if (rule.kind !== 'nothing') rules.push(rule);
    if (found.some(({ kind }) => kind === 'nothing')) return { rules, lifted: true };
  }
  return { rules, lifted: false };
}

function holds({ kind, names }: NamedRule, roles: readonly string[]): boolean {
  switch (kind) {
    case 'scopes':
      return true;
    case 'any-role':
      return names.some((name) => roles.includes(name));
    case 'all-roles':
      return names.every((name) => roles.includes(name));
    default:
      return kind satisfies never;
  }
}

function scopesOf(auth: unknown): readonly string[] {
  const { scopes, scope } = auth as Fields;
  return [...namesIn(scopes), ...(typeof scope === 'string' ? scope.split(' ') : [])];
}

/** A claim of another form says nothing. */
function namesIn(claim: unknown): readonly string[] {
  return Array.isArray(claim) ? claim.filter((name) => typeof name === 'string') : [];
}
