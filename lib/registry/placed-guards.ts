import { ENHANCER_KINDS } from '../enhancers/component-enhancers.js';
import { methodOf } from './component-host.js';
import type { ComponentHost } from './registered-component.js';

/** The guards that decorators bound to a class or a method. */
export const guardsAt = (place: object): readonly object[] =>
  (Reflect.getMetadata(ENHANCER_KINDS.guards.metadata, place) ?? []) as readonly object[];

/** Those of a host's class, then those of a method of it. */
export const guardsAround = ({ prototype }: ComponentHost, method: object): readonly object[] => [
  ...guardsAt(prototype.constructor),
  ...guardsAt(method),
];

/** Those that stand before every instance of a host, without what a registration put around it. */
export const declaredGuards = (host: ComponentHost): readonly object[] => guardsAround(host, methodOf(host));

/** Whether a guard of its own, of its class or of its registration stands before a component. */
export const isGuardedHost = (host: ComponentHost): boolean =>
  host.enhancers?.isGuarded === true || declaredGuards(host).length > 0;
