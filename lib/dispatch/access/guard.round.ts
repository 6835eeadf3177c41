import { ContextIdFactory, type ContextId } from '@nestjs/core';

import type { Fault } from '../../model/fault.js';
import type { Arguments, OperationRequest } from '../../model/operation.js';
import type { Deliberation } from './deliberation.js';

/** `undefined` if the guards allow the use. */
export type GuardVerdict = Fault | undefined;

/** State of the guards that run for one request outside of a call. */
export class GuardRound {
  /** Decisions of guards that depend on the caller only. */
  readonly decisions = new Map<object, GuardVerdict | Promise<GuardVerdict>>();
  private id: ContextId | undefined;

  constructor(
    readonly request: OperationRequest,
    readonly deliberation: Deliberation,
    /** Whether guards that are marked for calls only run too; lists and completions skip them. */
    readonly includesUnlisted: boolean,
  ) {}

  /** One context id for the whole request, so that its guards are created once. */
  get contextId(): ContextId {
    this.id ??= ContextIdFactory.getByRequest(this.request.caller.request ?? {});
    return this.id;
  }
}

/** Whether the guards allow the use. */
export function passes(verdict: GuardVerdict | Promise<GuardVerdict>): boolean | Promise<boolean> {
  return verdict instanceof Promise ? verdict.then((settled) => settled === undefined) : verdict === undefined;
}

/** Arguments that guards see when nothing is called. */
export const NO_ARGUMENTS: Arguments = Object.freeze({});
