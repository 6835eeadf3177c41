import type { OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';

/** Is notified of the end of each request. Must not throw. */
export abstract class RequestObserver {
  /** Called once for each decoded request, when its outcome is known or its client has left. */
  abstract ended(request: OperationRequest, outcome: Outcome, durationMs: number): void;
  /** Called when a request was refused before it was decoded, with its HTTP status. */
  abstract refused(status: number): void;
}
