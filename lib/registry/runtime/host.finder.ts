import { ModuleRef, type ModulesContainer } from '@nestjs/core';

import { BoundEnhancers } from '../../enhancers/bound-enhancers.js';
import { InvalidComponentError } from '../../errors/invalid-component.error.js';
import { hostOf, prototypeOf, type HostPlace } from '../component-host.js';
import { FUNCTION_PARAMETERS } from '../parameter-plan.js';
import type { ComponentHost, InstanceWrapper } from '../registered-component.js';
import { refuseSkippedEnhancers } from '../skipped-enhancers.js';

const METHOD = 'run';

/** Holds a registered function as a method; guards see it as the class of their context. */
class RegisteredFunction {
  readonly [METHOD]: (...args: readonly unknown[]) => unknown;

  constructor(handler: (...args: readonly unknown[]) => unknown) {
    const run = (...args: readonly unknown[]): unknown => handler(...args);
    Object.defineProperty(run, 'name', { value: handler.name === '' ? METHOD : handler.name });
    // Guards may read metadata that `@SetMetadata()` and similar decorators stored on the function.
    this[METHOD] = Object.setPrototypeOf(run, handler) as typeof run;
  }
}

/** Finds or creates the host of a component that is registered at run time. */
export class HostFinder {
  constructor(
    private readonly modules: ModulesContainer,
    /** Token and instance of the provider that hosts functions. */
    private readonly functionProvider: { readonly token: unknown; readonly instance: object },
  ) {}

  /** @throws InvalidComponentError when there is no such method, or an enhancer cannot be used. */
  async find(handler: unknown, label: string, enhancers: unknown): Promise<ComponentHost> {
    const host = typeof handler === 'function' ? this.functionHost(handler, label) : this.methodHost(handler, label);
    refuseSkippedEnhancers(host);
    const bound = await BoundEnhancers.bind(
      enhancers,
      moduleRefOf(host),
      (reason) => new InvalidComponentError(host.owner, reason),
    );
    return bound === undefined ? host : { ...host, enhancers: bound };
  }

  private functionHost(handler: unknown, owner: string): ComponentHost {
    const { token, instance } = this.functionProvider;
    const place = this.placesOf(token).find(({ wrapper }) => wrapper.instance === instance);
    if (place === undefined) throw new InvalidComponentError(owner, 'its registry is not a provider of this app.');
    const carrier = new RegisteredFunction(handler as RegisteredFunction['run']);
    return { ...place, prototype: carrier, method: METHOD, owner, parameters: FUNCTION_PARAMETERS, carrier };
  }

  private methodHost(handler: unknown, owner: string): ComponentHost {
    const [token, method, ...rest] = Array.isArray(handler) ? (handler as readonly unknown[]) : [];
    if (token === undefined || token === null || typeof method !== 'string' || rest.length > 0) {
      throw new InvalidComponentError(owner, 'its handler must be a function, or [Provider, "method"].');
    }
    const name = nameOf(token);
    const [place, other] = this.placesOf(token);
    if (place === undefined) {
      throw new InvalidComponentError(
        owner,
        `no module of this app provides ${name}. Add it to one, or pass a function.`,
      );
    }
    if (other !== undefined) {
      throw new InvalidComponentError(
        owner,
        `more than one module provides ${name}. Provide it in one and export it from there.`,
      );
    }
    const prototype = prototypeOf(place.wrapper);
    if (typeof (prototype as Readonly<Record<string, unknown>> | undefined)?.[method] !== 'function') {
      throw new InvalidComponentError(
        owner,
        `the class of ${name} has no method "${method}". Pass a function instead.`,
      );
    }
    return hostOf(place, prototype as object, method);
  }

  private placesOf(token: unknown): readonly HostPlace[] {
    const found: HostPlace[] = [];
    for (const [moduleKey, module] of this.modules.entries()) {
      for (const collection of ['providers', 'controllers'] as const) {
        const wrapper = module[collection].get(token as never) as InstanceWrapper | undefined;
        if (wrapper === undefined) continue;
        if (!wrapper.isAlias) found.push({ wrapper, module, moduleKey, collection });
        else found.push(...this.placesOf(aliasedBy(wrapper)));
      }
    }
    return found;
  }
}

/** Finds the target of an alias. Nest stores an alias as a factory that injects its target. */
function aliasedBy(wrapper: InstanceWrapper): unknown {
  return wrapper.inject?.[0];
}

/** The `ModuleRef` of the host's module, so that enhancers can inject the providers of that module. */
function moduleRefOf({ module }: ComponentHost): ModuleRef {
  return module.providers.get(ModuleRef)?.instance as ModuleRef;
}

function nameOf(token: unknown): string {
  return typeof token === 'function' ? token.name : String(token);
}
