import { Logger } from '@nestjs/common';

import { warn } from '../errors/log-line.js';
import { systemClock, type Clock } from '../execution/clock.js';
import type { OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';
import type { ComponentRegistry } from '../registry/component.registry.js';
import type { RequestObserver } from '../exchange/request-observer.js';

/** So that no client can fill the log. */
const MAX_LINES = 60;
const WINDOW_MS = 60_000;

type Components = Pick<ComponentRegistry, 'findTool' | 'findPrompt' | 'findResource' | 'matchTemplate'>;

/**
 * A line for each request that was refused or failed: what was asked, how it ended, how long it took, and where more is
 * told. Nothing that a client or a caller wrote is in it.
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

  /** Names come from the registry: those of a client may hold anything, and a URI its arguments. */
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
      this.tellOmitted();
      this.windowEndsAt = now + WINDOW_MS;
      this.lines = 0;
    }
    if (this.lines < MAX_LINES) {
      this.lines += 1;
      return true;
    }
    // So that the count is told even when nothing is refused any more.
    if (this.omitted === 0) this.clock.after(Math.ceil(this.windowEndsAt - now), () => this.tellOmitted());
    this.omitted += 1;
    return false;
  }

  private tellOmitted(): void {
    if (this.omitted > 0) warn(this.logger, `${this.omitted} more requests were refused or failed before.`);
    this.omitted = 0;
  }
}
