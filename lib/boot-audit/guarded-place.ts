import { guardsAt } from '../registry/hosts/placed-guards.js';
import type { AuditedServer } from './audit-check.js';

const hasGuards = (place: object): boolean => guardsAt(place).length > 0;

/** The class, or the first of its methods, that carries a guard: `Class` or `Class.method`. */
export function findGuardedPlace(owner: { readonly name: string; readonly prototype: unknown }): string | undefined {
  if (hasGuards(owner)) return owner.name;
  let prototype = owner.prototype as object | null;
  while (prototype !== null && prototype !== Object.prototype) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name !== 'constructor' && typeof value === 'function' && hasGuards(value as object)) {
        return `${owner.name}.${name}`;
      }
    }
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return undefined;
}

/** Whether a guard stands before the endpoint; global ones stand before it as before any route. */
export function hasEndpointGuards({ settings: { http }, isReachable, config }: AuditedServer): boolean {
  if (!isReachable) return false;
  if (http !== false && http.guards.length > 0) return true;
  return config.getGlobalGuards().length + config.getGlobalRequestGuards().length > 0;
}
