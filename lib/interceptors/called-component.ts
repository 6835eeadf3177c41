import type { ExecutionContext } from '@nestjs/common';

import type { Call } from '../dispatch/calls/call.js';
import { CALL_INDEX } from '../context/mcp-context.js';
import type { Caller } from '../model/peer.js';
import { ownerOf } from '../dispatch/calls/caller-identity.js';

/** The part of a running call that limits are about. */
export interface LimitedCall extends Pick<Call, 'component' | 'request'> {
  /** Name of the server that got the call. */
  readonly server: string;
}

/** `undefined` for calls of another kind, such as those of routes. */
export function limitedCallOf(context: ExecutionContext): LimitedCall | undefined {
  return context.getType<string>() === 'mcp' ? context.getArgByIndex<LimitedCall>(CALL_INDEX) : undefined;
}

/** Kind and name, different for different components of one server. */
export function nameParts({ component }: Pick<LimitedCall, 'component'>): readonly string[] {
  switch (component.kind) {
    case 'tool':
    case 'prompt':
      return [component.kind, component.definition.name];
    case 'resource':
      return [component.kind, component.definition.uri];
    case 'template':
      return [component.kind, component.definition.uriTemplate];
    case 'completion': {
      const { target, argument } = component;
      return [component.kind, target.kind, target.kind === 'prompt' ? target.name : target.uri, argument];
    }
    default:
      return component satisfies never;
  }
}

/**
 * Who a guard said it is, or else the address that the app took for the client's. Unknown callers without an address are
 * one caller: a connection would be a poor name for one, since a client can open as many as it likes.
 */
export function callerName(caller: Caller): string | number {
  const owner = ownerOf(caller);
  if (typeof owner === 'string' || typeof owner === 'number') return owner;
  const address = (caller.request as { readonly ip?: unknown } | null | undefined)?.ip;
  return typeof address === 'string' ? `address ${address}` : 'unknown';
}
