import type { Executor } from '../execution/executor.js';
import type { Fault } from '../model/fault.js';
import type { Operation, OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';
import type { RequestObserver } from '../exchange/request-observer.js';
import type { SubscriptionHub } from '../subscriptions/subscription.hub.js';
import { DurationHistogram } from './duration.histogram.js';
import { McpMetrics, type McpMetricsSnapshot, type McpRequestCounts } from './mcp-metrics.js';

/** Counts requests as they end; a request leaves nothing behind but larger numbers. */
export class RequestMeter extends McpMetrics implements RequestObserver {
  private readonly tallies = new Map<Operation['kind'], Tally>();
  private readonly refusals = new Map<number, number>();

  constructor(
    private readonly executor: Pick<Executor, 'stats'>,
    private readonly subscriptions: Pick<SubscriptionHub, 'stats'>,
  ) {
    super();
  }

  ended({ operation }: OperationRequest, outcome: Outcome, durationMs: number): void {
    let tally = this.tallies.get(operation.kind);
    if (tally === undefined) {
      tally = new Tally();
      this.tallies.set(operation.kind, tally);
    }
    tally.add(outcome, durationMs);
  }

  refused(status: number): void {
    increment(this.refusals, status);
  }

  snapshot(): McpMetricsSnapshot {
    return {
      requests: Object.fromEntries([...this.tallies].map(([kind, tally]) => [kind, tally.snapshot()])),
      refused: Object.fromEntries(this.refusals),
      executor: this.executor.stats(),
      subscriptions: this.subscriptions.stats(),
    };
  }
}

class Tally {
  private completed = 0;
  private toolErrors = 0;
  private inputRequired = 0;
  private cancelled = 0;
  private readonly faults = new Map<Fault['kind'], number>();
  private readonly durations = new DurationHistogram();

  add(outcome: Outcome, durationMs: number): void {
    this.durations.add(durationMs);
    switch (outcome.kind) {
      case 'complete':
        if (outcome.result['isError'] === true) this.toolErrors += 1;
        else this.completed += 1;
        return;
      case 'unsubscribed':
        this.completed += 1;
        return;
      case 'input-required':
        this.inputRequired += 1;
        return;
      case 'cancelled':
        this.cancelled += 1;
        return;
      case 'fault':
        increment(this.faults, outcome.fault.kind);
        return;
      default:
        outcome satisfies never;
    }
  }

  snapshot(): McpRequestCounts {
    const { completed, toolErrors, inputRequired, cancelled } = this;
    const faults = Object.fromEntries(this.faults);
    return { completed, toolErrors, inputRequired, cancelled, faults, durations: this.durations.snapshot() };
  }
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
