import type { ExecutionContext } from '@nestjs/common';

import type { Call } from '../dispatch/calls/call.js';
import { CALL_INDEX } from '../decorators/mcp-context.js';

/** The part of a running call that limits need. */
export interface LimitedCall extends Pick<Call, 'abandon' | 'component' | 'request'> {
  /** Name of the server that received the call. */
  readonly server: string;
}

/** `undefined` for calls that are not MCP, such as calls of routes. */
export function limitedCallOf(context: ExecutionContext): LimitedCall | undefined {
  return context.getType<string>() === 'mcp' ? context.getArgByIndex<LimitedCall>(CALL_INDEX) : undefined;
}

/** Kind and name, unique within one server. */
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

/** @throws TypeError that names the option. */
export function requireWhole(value: number, option: string, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new TypeError(`The option "${option}" must be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}.`);
}
