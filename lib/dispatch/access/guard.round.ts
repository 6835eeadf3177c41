import { ContextIdFactory, type ContextId } from '@nestjs/core';

import type { Fault } from '../../model/fault.js';
import type { Arguments, OperationRequest } from '../../model/operation.js';
import type { Deliberation } from './deliberation.js';

/** `undefined` for what passes. */
export type GuardVerdict = Fault | undefined;

/** All guards that run for one request outside of a call. */
export class GuardRound {
  /** What guards decided that decide by the caller alone. */
  readonly decisions = new Map<object, GuardVerdict | Promise<GuardVerdict>>();
  private id: ContextId | undefined;

  constructor(
    readonly request: OperationRequest,
    readonly deliberation: Deliberation,
    /** Lists and completions spare those that are for calls. */
    readonly includesUnlisted: boolean,
  ) {}

  /** One for the whole request, so that its guards are made once. */
  get contextId(): ContextId {
    this.id ??= ContextIdFactory.getByRequest(this.request.caller.request ?? {});
    return this.id;
  }
}

/** Whether a guard lets the caller pass. */
export function passes(verdict: GuardVerdict | Promise<GuardVerdict>): boolean | Promise<boolean> {
  return verdict instanceof Promise ? verdict.then((settled) => settled === undefined) : verdict === undefined;
}

/** What guards find among the arguments of a call that is none. */
export const NO_ARGUMENTS: Arguments = Object.freeze({});
