import { ENHANCER_KINDS } from '../enhancers/component-enhancers.js';
import { methodOf } from './component-host.js';
import type { ComponentHost } from './registered-component.js';

/** The guards that decorators bind to a class or a method. */
export const guardsAt = (place: object): readonly object[] =>
  (Reflect.getMetadata(ENHANCER_KINDS.guards.metadata, place) ?? []) as readonly object[];

/** The guards of a host's class, then those of a method. */
export const guardsAround = ({ prototype }: ComponentHost, method: object): readonly object[] => [
  ...guardsAt(prototype.constructor),
  ...guardsAt(method),
];

/** The guards of class and method of a host, without those of its registration. */
export const declaredGuards = (host: ComponentHost): readonly object[] => guardsAround(host, methodOf(host));

/** Whether a component has guards of its method, its class or its registration. */
export const isGuardedHost = (host: ComponentHost): boolean =>
  host.enhancers?.isGuarded === true || declaredGuards(host).length > 0;
