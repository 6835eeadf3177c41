import type { OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';
import { RequestObserver } from '../exchange/request-observer.js';
import type { RequestLog } from './request.log.js';
import type { RequestMeter } from './request.meter.js';

/** Counts every end, and logs the bad ones. */
export class RequestWatch extends RequestObserver {
  constructor(
    private readonly meter: RequestMeter,
    private readonly log: RequestLog,
  ) {
    super();
  }

  ended(request: OperationRequest, outcome: Outcome, durationMs: number): void {
    this.meter.ended(request, outcome, durationMs);
    this.log.ended(request, outcome, durationMs);
  }

  refused(status: number): void {
    this.meter.refused(status);
    this.log.refused(status);
  }
}
