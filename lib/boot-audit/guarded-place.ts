import type { ListedComponent } from '../registry/registered-component.js';

const GUARDS = '__guards__';

const hasGuards = (place: object): boolean => ((Reflect.getMetadata(GUARDS, place) ?? []) as unknown[]).length > 0;

/** Whether a guard of its own, or of its class, stands before a component. */
export function isGuarded({ host }: ListedComponent): boolean {
  if (host.enhancers?.isGuarded === true || hasGuards(host.prototype.constructor)) return true;
  const method = (host.prototype as Readonly<Record<string, object | undefined>>)[host.method];
  return method !== undefined && hasGuards(method);
}

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
