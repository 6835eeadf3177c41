import type { OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';

/** Hears how requests end. What it throws is a fault of this library, so it does not. */
export abstract class RequestObserver {
  /** Told once for each request that was understood: its answer is decided, or nobody waits for one any more. */
  abstract ended(request: OperationRequest, outcome: Outcome, durationMs: number): void;
  /** A request was turned away before it was understood, with this HTTP status. */
  abstract refused(status: number): void;
}
