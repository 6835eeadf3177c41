import 'reflect-metadata';
import { ACCESS_METADATA, CACHE_DECISION_METADATA, NOT_FOR_LISTING_METADATA } from '../mcp.constants.js';

/** One thing that a class or method asks of its callers; `nothing` lifts what the places around it ask. */
export type AccessRule =
  | { readonly kind: 'scopes' | 'any-role' | 'all-roles'; readonly names: readonly string[] }
  | { readonly kind: 'nothing' };

/**
 * Roles that are needed together.
 *
 * @publicApi
 */
export interface AllRoles {
  readonly all: readonly string[];
}

type ClassOrMethodDecorator = ClassDecorator & MethodDecorator;

type GuardDecorator = (guard: abstract new (...args: never[]) => object) => void;

/**
 * Offers the components of a class, or one of them, to callers whose token has all of these scopes. What a class and its
 * method ask adds up. Scopes come from `scopes: string[]` or `scope: 'a b'` of what a trusted guard left about the caller.
 *
 * @throws TypeError without a scope, or for one with a space.
 * @publicApi
 */
export function RequireScopes(...scopes: readonly string[]): ClassOrMethodDecorator {
  return asks('RequireScopes', { kind: 'scopes', names: requireNames('RequireScopes', scopes, /^[^\s"\\]+$/) });
}

/**
 * Offers the components of a class, or one of them, to callers with any of these roles, or with all of `{ all: [...] }`.
 * Roles come from `roles: string[]` of what a trusted guard left about the caller.
 *
 * @throws TypeError without a role.
 * @publicApi
 */
export function RequireRoles(...roles: readonly [AllRoles] | readonly string[]): ClassOrMethodDecorator {
  const [first] = roles;
  const kind = typeof first === 'object' ? 'all-roles' : 'any-role';
  const names = typeof first === 'object' ? first.all : (roles as readonly string[]);
  return asks('RequireRoles', { kind, names: requireNames('RequireRoles', names, /./) });
}

/**
 * Lifts the scopes and roles that a class asks from one of its methods, or those of a base class from a subclass. Guards
 * and the policy still run: no decorator exempts from them.
 *
 * @publicApi
 */
export function RequireNothing(): ClassOrMethodDecorator {
  return asks('RequireNothing', { kind: 'nothing' });
}

/**
 * Keeps a guard class from running for lists: it then refuses calls alone. For guards that need arguments, or that count.
 *
 * @publicApi
 */
export function NotForListing(): GuardDecorator {
  return (guard) => Reflect.defineMetadata(NOT_FOR_LISTING_METADATA, true, guard);
}

/**
 * Says that a guard class decides by the caller alone, so that one decision serves all components of a list.
 *
 * @publicApi
 */
export function CacheDecision(): GuardDecorator {
  return (guard) => Reflect.defineMetadata(CACHE_DECISION_METADATA, true, guard);
}

function asks(decorator: string, rule: AccessRule): ClassOrMethodDecorator {
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
    throw new TypeError(`@${decorator}() takes one name or more, each a string of its own.`);
  }
  return Object.freeze([...(names as readonly string[])]);
}
