import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { Fault } from '../../model/fault.js';
import type { Caller } from '../../model/peer.js';
import type { ComponentHost, ListedComponent } from '../../registry/registered-component.js';
import type { PolicyComponent, PolicyQuestion, McpPolicy, PolicyDecision } from './mcp-policy.js';
import type { AccessRule } from '../../decorators/access.decorator.js';
import { ACCESS_METADATA } from '../../mcp.constants.js';
import type { Fields } from '../../model/fields.js';
import { InvalidOptionsError } from '../../errors/invalid-options.error.js';
import { McpError } from '../../errors/mcp.error.js';

/** The requirements that decorators of components declare, read once per component. */
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
  const described = describe(component);
  return {
    phase,
    component: requestedUri === undefined ? described : { ...described, requestedUri },
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

type NamedRule = Exclude<AccessRule, { kind: 'nothing' }>;

/** The scopes and roles that the decorators of one component require. */
export class Requirements {
  private readonly scopes: readonly string[];

  private constructor(private readonly rules: readonly NamedRule[]) {
    this.scopes = [...new Set(rules.flatMap(({ kind, names }) => (kind === 'scopes' ? names : [])))];
  }

  /** Returns `undefined` if the component has no requirements. */
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

/** Collects the rules of a class or function along its prototype chain, until a decorator lifts the remaining ones. */
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

/** Ignores claims that are not arrays of strings. */
function namesIn(claim: unknown): readonly string[] {
  return Array.isArray(claim) ? claim.filter((name) => typeof name === 'string') : [];
}

/** Finds the policy of an app. */
export interface PolicySource {
  /** Called once at start-up; resolves to whether the app has a policy. */
  resolve(): Promise<boolean>;
  of(request: unknown): McpPolicy | Promise<McpPolicy>;
}

export interface PolicyGateOptions {
  /** Time limit of the policy, in milliseconds. */
  readonly policyTimeoutMs: number;
  /** Results that shared caches may keep, as configured by the user. */
  readonly publicResults: readonly string[];
}

/** A refusal of the policy, with its message if it has one. */
export interface PolicyRefusal {
  readonly message: string;
  readonly data?: unknown;
}

/** `undefined` if the use is allowed. */
export type PolicyVerdict = PolicyRefusal | undefined;

/** Asks the policy with a time limit, and accepts only valid decisions. */
export class PolicyGate implements OnModuleInit {
  private present = false;

  constructor(
    private readonly source: PolicySource,
    private readonly options: PolicyGateOptions,
  ) {}

  /** Whether the app has a policy. */
  get isPresent(): boolean {
    return this.present;
  }

  /** @throws InvalidOptionsError when the policy cannot be used, or shared caches would bypass it. */
  async onModuleInit(): Promise<void> {
    this.present = await this.source.resolve();
    const [exposed] = this.options.publicResults;
    if (!this.present || exposed === undefined) return;
    throw new InvalidOptionsError(
      `cache.${exposed}.scope`,
      'it is "public", but a policy decides what each caller may see, and shared caches would bypass it. Leave it out.',
    );
  }

  /** Resolves with one verdict per question; rejects when the policy fails, takes too long or returns an invalid decision. */
  async ask(questions: readonly PolicyQuestion[], request: unknown): Promise<readonly PolicyVerdict[]> {
    if (questions.length === 0) return [];
    const decisions = await this.inTime(this.decide(questions, request));
    if (!Array.isArray(decisions) || decisions.length !== questions.length) {
      throw new McpError('MCP_POLICY_ANSWER', 'decideAll() of the policy must answer each question, in order.');
    }
    // map() would skip the holes of a sparse array, and holes would count as allowed.
    return Array.from(decisions, (decision) => verdictOf(decision));
  }

  private async decide(questions: readonly PolicyQuestion[], request: unknown): Promise<readonly PolicyDecision[]> {
    const policy = await this.source.of(request);
    const [question, ...others] = questions;
    return question !== undefined && others.length === 0
      ? [await policy.decide(question)]
      : policy.decideAll(questions);
  }

  private inTime<T>(pending: Promise<T>): Promise<T> {
    const { policyTimeoutMs } = this.options;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new McpError('MCP_POLICY_TIMEOUT', `The policy took longer than ${policyTimeoutMs} ms.`));
      }, policyTimeoutMs).unref();
      pending.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}

function verdictOf(decision: unknown): PolicyVerdict {
  if (decision === true) return undefined;
  if (decision === false) return { message: 'Refused by the policy of this server' };
  const { refused, data } = (decision ?? {}) as { readonly refused?: unknown; readonly data?: unknown };
  if (typeof refused !== 'string') {
    throw new McpError('MCP_POLICY_ANSWER', 'The policy must answer true, false or { refused: "..." }.');
  }
  return { message: refused, ...(data === undefined ? {} : { data }) };
}
