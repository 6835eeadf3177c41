import { InvalidComponentError } from '../errors/invalid-component.error.js';
import { ENHANCER_KINDS } from '../enhancers/component-enhancers.js';
import { methodOf } from './component-host.js';
import type { ComponentHost } from './registered-component.js';

/**
 * Nest silently skips an enhancer class that the host's module does not contain.
 *
 * @throws InvalidComponentError when Nest would skip an enhancer of class or method.
 */
export function refuseSkippedEnhancers(host: ComponentHost): void {
  for (const enhancer of skippedEnhancers(host)) {
    if (host.carrier !== undefined) {
      throw new InvalidComponentError(
        host.owner,
        `Nest makes no ${enhancer} for a function, and would skip it. Pass it to the registration, for example as { guards: [${enhancer}] }.`,
      );
    }
    throw new InvalidComponentError(
      host.owner,
      `Nest makes no ${enhancer} for a host that is a value or comes from a factory, and would skip it. Provide the class itself, or give the decorator an instance: new ${enhancer}(...).`,
    );
  }
}

function skippedEnhancers(host: ComponentHost): readonly string[] {
  const bound = [host.prototype.constructor, methodOf(host)].flatMap((place) =>
    Object.values(ENHANCER_KINDS).flatMap(
      ({ metadata }) => (Reflect.getMetadata(metadata, place) ?? []) as readonly unknown[],
    ),
  );
  return bound
    .filter((enhancer) => typeof enhancer === 'function' && !isMadeFor(host, enhancer))
    .map((enhancer) => (enhancer as { name: string }).name);
}

/** The module may contain the class because of another host; but for a host without a class, Nest creates only static enhancers. */
function isMadeFor({ wrapper, module }: ComponentHost, enhancer: unknown): boolean {
  const held = module.injectables.get(enhancer as never);
  if (held === undefined) return false;
  return !wrapper.isNotMetatype || (held.isDependencyTreeStatic() && !held.isTransient);
}
