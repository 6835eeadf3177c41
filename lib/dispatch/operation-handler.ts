import type { Operation, OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';
import type { CallLink } from './calls/call.js';

/** Carries out one kind of operation. */
export interface OperationHandler<K extends Operation['kind'] = Operation['kind']> {
  handle(request: OperationRequest<Extract<Operation, { kind: K }>>, link: CallLink): Outcome | Promise<Outcome>;
}

/** Shortens the commonest outcome. */
export const faulty = (fault: Extract<Outcome, { kind: 'fault' }>['fault']): Outcome => ({ kind: 'fault', fault });
