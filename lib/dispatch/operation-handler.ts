import type { Operation, OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';
import type { CallLink } from './calls/call-link.js';

/** How an operation is run: at once, as work that may have to queue, or as a stream that stays open. */
export type OperationLane = 'control' | 'work' | 'stream';

/** Carries out one kind of operation. */
export interface OperationHandler<K extends Operation['kind'] = Operation['kind']> {
  readonly lane: OperationLane;
  /** Time that this very operation may take, where it differs from the server's; in milliseconds. */
  timeoutMs?(operation: Extract<Operation, { kind: K }>): number | undefined;
  handle(request: OperationRequest<Extract<Operation, { kind: K }>>, link: CallLink): Outcome | Promise<Outcome>;
}

/** Shortens the commonest outcome. */
export const faulty = (fault: Extract<Outcome, { kind: 'fault' }>['fault']): Outcome => ({ kind: 'fault', fault });
