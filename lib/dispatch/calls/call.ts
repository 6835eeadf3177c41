import { LogItem, ProgressItem, type CallEvent } from '../../model/event.js';
import type { CallArguments } from '../../model/call-arguments.js';
import type { Arguments, OperationRequest } from '../../model/operation.js';
import type { InputRequiredOutcome } from '../../model/outcome.js';
import type { RegisteredComponent } from '../../registry/registered-component.js';
import { CallContext } from './call-context.js';
import { CallInterruption } from './call-interruption.js';
import { acceptsLog, checkLog, checkProgress, fitsProgress } from './event.rules.js';

/** What connects a running handler to whoever waits for it. */
export interface CallLink {
  /** Told once, before the handler starts, so that it can be cancelled. */
  started(call: Call): void;
  /** Takes an event towards the client; resolves when it was written, or when it was dropped. */
  send(event: CallEvent): Promise<void> | undefined;
}

/** One running handler: what it was asked, what it may tell, and how it ends. */
export class Call implements CallArguments {
  /** Parsed arguments; after validation the validated ones. */
  arguments: unknown;
  /** Set once arguments passed their schema. */
  validated = false;
  /** Set when the handler stopped to ask the client. */
  interruption: InputRequiredOutcome | undefined;
  private seenContext: CallContext | undefined;
  private controller: AbortController | undefined;
  private state: 'running' | 'finished' | 'cancelled' = 'running';
  private lastProgress = Number.NEGATIVE_INFINITY;
  private updates = 0;

  constructor(
    readonly request: OperationRequest,
    readonly component: RegisteredComponent,
    args: Arguments,
    private readonly link: CallLink,
  ) {
    this.arguments = args;
  }

  /** Made when somebody first looks, like the signal, since most handlers never do. */
  get context(): CallContext {
    this.seenContext ??= new CallContext(this);
    return this.seenContext;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.state === 'cancelled') this.controller.abort();
    }
    return this.controller.signal;
  }

  get running(): boolean {
    return this.state === 'running';
  }

  async emit(event: CallEvent): Promise<void> {
    if (event instanceof ProgressItem) checkProgress(event);
    else checkLog(event);
    if (!this.running || !this.isWanted(event)) return;
    await this.link.send(event);
  }

  /**
   * Ends the run with a question to the client, whatever the handler or its interceptors and filters do with the signal thrown here.
   *
   * @throws CallInterruption always.
   */
  interrupt(outcome: InputRequiredOutcome): never {
    this.interruption ??= outcome;
    throw new CallInterruption();
  }

  finish(): void {
    if (this.state === 'running') this.state = 'finished';
  }

  cancel(): void {
    if (this.state !== 'running') return;
    this.state = 'cancelled';
    this.controller?.abort();
  }

  private isWanted(event: CallEvent): boolean {
    if (event instanceof LogItem) return acceptsLog(event.level, this.request.client.logLevel);
    if (this.request.progressToken === undefined || !fitsProgress(event, this.lastProgress, this.updates)) return false;
    this.lastProgress = event.progress;
    this.updates += 1;
    return true;
  }
}
