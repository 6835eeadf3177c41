import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { defer, lastValueFrom, type Observable } from 'rxjs';

import type { LimitedCall } from '../../../lib/interceptors/called-component.js';
import { Gate } from '../../support/gate.js';

export interface CallParts {
  readonly kind?: 'tool' | 'prompt' | 'resource';
  readonly name?: string;
  readonly server?: string;
  readonly auth?: unknown;
  readonly request?: unknown;
  readonly address?: string | undefined;
  readonly response?: unknown;
  readonly signal?: AbortSignal;
  readonly onAbandon?: () => void;
}

const components = new Map<string, LimitedCall['component']>();

/** Equal parts give the same component, as in a registry. */
function componentOf({ kind = 'tool', name = 'search', server = 'default' }: CallParts): LimitedCall['component'] {
  const key = `${server} ${kind} ${name}`;
  const known = components.get(key);
  if (known !== undefined) return known;
  const component = { kind, definition: kind === 'resource' ? { uri: name } : { name } } as never;
  components.set(key, component);
  return component;
}

/** The execution context of a call, as far as limits look at it. */
export function contextOf(parts: CallParts = {}): ExecutionContext {
  const call = {
    component: componentOf(parts),
    server: parts.server ?? 'default',
    request: { caller: { auth: () => parts.auth, request: parts.request, address: parts.address, connection: {} } },
    context: { signal: parts.signal ?? new AbortController().signal },
    abandon: () => parts.onAbandon?.(),
  };
  return {
    getType: () => 'mcp',
    getArgByIndex: (index: number) => [parts.request, parts.response, call][index],
    switchToHttp: () => ({ getResponse: () => parts.response }),
  } as never;
}

/** The execution context of a route. */
export const routeContext = { getType: () => 'http' } as ExecutionContext;

/** A handler that runs until a test lets it end. */
export class HeldHandler implements CallHandler {
  runs = 0;
  readonly end = new Gate<string>();

  handle(): Observable<unknown> {
    return defer(() => {
      this.runs += 1;
      return this.end.opened;
    });
  }
}

/** Ends at once. */
export class QuickHandler extends HeldHandler {
  constructor() {
    super();
    this.end.open('done');
  }
}

/** What becomes of a call: its value, or what it was refused with. */
export async function outcomeOf(
  intercepted: () => Observable<unknown> | Promise<Observable<unknown>>,
): Promise<unknown> {
  try {
    return await lastValueFrom(await intercepted());
  } catch (error) {
    return error;
  }
}
