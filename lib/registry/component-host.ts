import { InvalidComponentError } from '../errors/invalid-component.error.js';
import { planParameters, UnfillableParameterError } from './parameter-plan.js';
import type { ComponentHost, InstanceWrapper, Method } from './registered-component.js';

/** Location of a provider or controller in Nest's container. */
export type HostPlace = Pick<ComponentHost, 'wrapper' | 'module' | 'moduleKey' | 'collection'>;

/** @throws InvalidComponentError when a parameter of the method cannot be filled. */
export function hostOf(place: HostPlace, prototype: object, method: string): ComponentHost {
  const owner = `${prototype.constructor.name}.${method}`;
  return { ...place, prototype, method, owner, parameters: planOf(prototype, method, owner) };
}

/** The method of a component on an instance of its host. */
export function methodOf({ method, prototype }: ComponentHost, instance: object = prototype): Method {
  return (instance as Readonly<Record<string, Method>>)[method];
}

/** The prototype of a provider or controller; `undefined` if it has no visible methods. */
export function prototypeOf(wrapper: InstanceWrapper): object | undefined {
  // Providers from a factory or a value have no class, only an instance.
  const prototype: unknown = wrapper.isNotMetatype
    ? instancePrototype(wrapper.instance)
    : (wrapper.metatype as { prototype?: unknown } | null)?.prototype;
  return typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype ? prototype : undefined;
}

function instancePrototype(instance: unknown): unknown {
  return typeof instance === 'object' && instance !== null ? Object.getPrototypeOf(instance) : undefined;
}

function planOf(prototype: object, method: string, owner: string): ComponentHost['parameters'] {
  try {
    return planParameters(prototype, method);
  } catch (error) {
    if (error instanceof UnfillableParameterError) throw new InvalidComponentError(owner, error.message);
    throw error;
  }
}
