import { Injectable } from '@nestjs/common';

import type { Fault } from '../../model/fault.js';
import type { Caller } from '../../model/peer.js';
import type { ComponentHost, ListedComponent } from '../../registry/registered-component.js';
import type { PolicyComponent, PolicyQuestion } from './mcp-policy.js';
import type { AccessRule } from '../../decorators/access.decorator.js';
import { ACCESS_METADATA } from '../../mcp.constants.js';
import type { Fields } from '../../model/fields.js';

/** What the decorators of components ask, read once for each. */
@Injectable()
export class AccessRules {
  private readonly read = new WeakMap<ComponentHost, Requirements | 'none'>();

  of(host: ComponentHost): Requirements | undefined {
    let requirements = this.read.get(host);
    if (requirements === undefined) {
      requirements = Requirements.of(host) ?? 'none';
      this.read.set(host, requirements);
    }
    return requirements === 'none' ? undefined : requirements;
  }

  refusalFor(host: ComponentHost, caller: Caller): Fault | undefined {
    return this.of(host)?.refusalFor(caller.auth());
  }
}

export function questionAbout(
  component: ListedComponent,
  phase: PolicyQuestion['phase'],
  caller: Caller,
  requestedUri?: string,
): PolicyQuestion {
  const about = describe(component);
  return {
    phase,
    component: requestedUri === undefined ? about : { ...about, requestedUri },
    auth: caller.auth(),
    request: caller.request,
  };
}

function describe(component: ListedComponent): PolicyComponent {
  const { kind } = component;
  const { name } = component.definition;
  switch (kind) {
    case 'tool':
    case 'prompt':
      return { kind, name };
    case 'resource':
      return { kind, name, uri: component.definition.uri };
    case 'template':
      return { kind, name, uri: component.definition.uriTemplate };
    default:
      return kind satisfies never;
  }
}

type NamedRule = Exclude<AccessRule, { kind: 'public' }>;

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
    for (const rule of found) if (rule.kind !== 'public') rules.push(rule);
    if (found.some(({ kind }) => kind === 'public')) return { rules, lifted: true };
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
