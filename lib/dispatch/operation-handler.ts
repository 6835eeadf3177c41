import type { Operation, OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';
import type { CallLink } from './calls/call-link.js';

/** How an operation runs: `control` at once, `work` possibly queued, `stream` as an open stream. */
export type OperationLane = 'control' | 'work' | 'stream';

/** Carries out one kind of operation. */
export interface OperationHandler<K extends Operation['kind'] = Operation['kind']> {
  readonly lane: OperationLane;
  /** Time limit of this operation in milliseconds, if it differs from that of the server. */
  timeoutMs?(operation: Extract<Operation, { kind: K }>): number | undefined;
  handle(request: OperationRequest<Extract<Operation, { kind: K }>>, link: CallLink): Outcome | Promise<Outcome>;
}

/** Creates an outcome with a fault. */
export const faulty = (fault: Extract<Outcome, { kind: 'fault' }>['fault']): Outcome => ({ kind: 'fault', fault });
