import { Logger } from '@nestjs/common';

import type { Executor } from '../execution/executor.js';
import type { Fault } from '../model/fault.js';
import type { Operation, OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';
import { RequestObserver } from '../server/request-observer.js';
import type { SubscriptionHub } from '../subscriptions/subscription.hub.js';
import { McpMetrics, type McpDurations, type McpMetricsSnapshot, type McpRequestCounts } from './mcp-metrics.js';
import { warn } from '../errors/log-line.js';
import { systemClock, type Clock } from '../execution/clock.js';
import type { ComponentRegistry } from '../registry/component.registry.js';

/** Upper limits of the buckets, in milliseconds; one further bucket has no limit. */
const ENDS_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000] as const;

/** Counts durations without storing them. */
class DurationHistogram {
  private readonly counts: number[] = Array.from({ length: ENDS_MS.length + 1 }, () => 0);
  private count = 0;
  private sumMs = 0;
  private maxMs = 0;

  add(durationMs: number): void {
    const found = ENDS_MS.findIndex((end) => durationMs <= end);
    const bucket = found < 0 ? ENDS_MS.length : found;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.count += 1;
    this.sumMs += durationMs;
    if (durationMs > this.maxMs) this.maxMs = durationMs;
  }

  snapshot(): McpDurations {
    const buckets: Record<number, number> = {};
    let total = 0;
    for (const [bucket, end] of ENDS_MS.entries()) {
      total += this.counts[bucket] ?? 0;
      buckets[end] = total;
    }
    return { count: this.count, sumMs: this.sumMs, maxMs: this.maxMs, buckets };
  }
}

/** Counts requests as they end; the memory does not grow with their number. */
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

/** Limits what clients can write to the log. */
const MAX_LINES = 60;
const WINDOW_MS = 60_000;

type Components = Pick<ComponentRegistry, 'findTool' | 'findPrompt' | 'findResource' | 'matchTemplate'>;

/**
 * A log line for each request that was refused or failed: its kind, its end, its duration, and where to find details.
 * It contains no text of a client or caller.
 */
export class RequestLog implements RequestObserver {
  private readonly logger = new Logger('McpRequests');
  private windowEndsAt = Number.NEGATIVE_INFINITY;
  private lines = 0;
  private omitted = 0;

  constructor(
    private readonly components: Components,
    private readonly clock: Clock = systemClock,
  ) {}

  ended(request: OperationRequest, outcome: Outcome, durationMs: number): void {
    if (outcome.kind !== 'fault' || !this.mayWrite()) return;
    const { fault } = outcome;
    const code = fault.kind === 'protocol' ? `protocol ${fault.code}` : fault.kind;
    const reference = fault.kind === 'internal' && fault.reference !== undefined ? ` [${fault.reference}]` : '';
    warn(this.logger, `${this.subjectOf(request)}: ${code} after ${Math.round(durationMs)} ms${reference}`);
  }

  refused(status: number): void {
    if (this.mayWrite()) warn(this.logger, `A request was refused with status ${status}`);
  }

  /** Names come from the registry: a name from a client may contain anything, and a URI may contain arguments. */
  private subjectOf({ operation }: OperationRequest): string {
    const name = this.nameOf(operation);
    return name === undefined ? operation.kind : `${operation.kind} "${name}"`;
  }

  private nameOf(operation: OperationRequest['operation']): string | undefined {
    switch (operation.kind) {
      case 'call-tool':
        return this.components.findTool(operation.name)?.definition.name;
      case 'get-prompt':
        return this.components.findPrompt(operation.name)?.definition.name;
      case 'read-resource':
        return (
          this.components.findResource(operation.uri)?.definition.uri ??
          this.components.matchTemplate(operation.uri)?.component.definition.uriTemplate
        );
      default:
        return undefined;
    }
  }

  private mayWrite(): boolean {
    const now = this.clock.now();
    if (now >= this.windowEndsAt) {
      this.logOmitted();
      this.windowEndsAt = now + WINDOW_MS;
      this.lines = 0;
    }
    if (this.lines < MAX_LINES) {
      this.lines += 1;
      return true;
    }
    // Ensures that the count is logged even if no further request is refused.
    if (this.omitted === 0) this.clock.after(Math.ceil(this.windowEndsAt - now), () => this.logOmitted());
    this.omitted += 1;
    return false;
  }

  private logOmitted(): void {
    if (this.omitted > 0) warn(this.logger, `${this.omitted} more requests were refused or failed before.`);
    this.omitted = 0;
  }
}

/** Counts all requests, and logs failures. */
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
