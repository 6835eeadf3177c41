import 'reflect-metadata';
import { ACCESS_METADATA, CACHE_DECISION_METADATA, NOT_FOR_LISTING_METADATA } from '../mcp.constants.js';

/** A requirement of a class or method; `nothing` lifts the requirements of the enclosing class and of base classes. */
export type AccessRule =
  | { readonly kind: 'scopes' | 'any-role' | 'all-roles'; readonly names: readonly string[] }
  | { readonly kind: 'nothing' };

/**
 * Roles of which the caller must have all.
 *
 * @publicApi
 */
export interface AllRoles {
  readonly all: readonly string[];
}

type ClassOrMethodDecorator = ClassDecorator & MethodDecorator;

type GuardDecorator = (guard: abstract new (...args: never[]) => object) => void;

/**
 * Restricts the components of a class, or one method, to callers that have all of these scopes. The requirements of class
 * and method are combined. Scopes are read from `scopes: string[]` or `scope: 'a b'` of the authentication that a trusted
 * guard has stored.
 *
 * @throws TypeError without a scope, or for one with a space.
 * @publicApi
 */
export function RequireScopes(...scopes: readonly string[]): ClassOrMethodDecorator {
  return ruleDecorator('RequireScopes', {
    kind: 'scopes',
    names: requireNames('RequireScopes', scopes, /^[^\s"\\]+$/),
  });
}

/**
 * Restricts the components of a class, or one method, to callers with any of these roles, or with all of `{ all: [...] }`.
 * Roles are read from `roles: string[]` of the authentication that a trusted guard has stored.
 *
 * @throws TypeError without a role.
 * @publicApi
 */
export function RequireRoles(...roles: readonly [AllRoles] | readonly string[]): ClassOrMethodDecorator {
  const [first] = roles;
  const kind = typeof first === 'object' ? 'all-roles' : 'any-role';
  const names = typeof first === 'object' ? first.all : (roles as readonly string[]);
  return ruleDecorator('RequireRoles', { kind, names: requireNames('RequireRoles', names, /./) });
}

/**
 * Lifts the scopes and roles that a class requires for one of its methods, or those of a base class for a subclass. Guards
 * and the policy still run; no decorator disables them.
 *
 * @publicApi
 */
export function RequireNothing(): ClassOrMethodDecorator {
  return ruleDecorator('RequireNothing', { kind: 'nothing' });
}

/**
 * Excludes a guard class from lists, so that it runs for calls only. Use it for guards that need arguments, or that count.
 *
 * @publicApi
 */
export function NotForListing(): GuardDecorator {
  return (guard) => Reflect.defineMetadata(NOT_FOR_LISTING_METADATA, true, guard);
}

/**
 * Declares that the decision of a guard class depends on the caller only, so that it is reused for all components of a list.
 *
 * @publicApi
 */
export function CacheDecision(): GuardDecorator {
  return (guard) => Reflect.defineMetadata(CACHE_DECISION_METADATA, true, guard);
}

function ruleDecorator(decorator: string, rule: AccessRule): ClassOrMethodDecorator {
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const place: unknown = key === undefined ? target : descriptor?.value;
    if (typeof place !== 'function') throw new TypeError(`@${decorator}() belongs on a class or a method.`);
    const earlier = (Reflect.getOwnMetadata(ACCESS_METADATA, place) ?? []) as readonly AccessRule[];
    Reflect.defineMetadata(ACCESS_METADATA, Object.freeze([rule, ...earlier]), place);
  };
}

/** A requirement of nothing would read like protection. */
function requireNames(decorator: string, names: readonly unknown[], form: RegExp): readonly string[] {
  const isFit = (name: unknown): boolean => typeof name === 'string' && form.test(name);
  if (!Array.isArray(names) || names.length === 0 || !names.every(isFit)) {
    throw new TypeError(`@${decorator}() takes one or more names, each as a separate string.`);
  }
  return Object.freeze([...(names as readonly string[])]);
}
