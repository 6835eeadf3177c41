import { guardsAt } from '../registry/hosts/placed-guards.js';

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
