import { AsyncResource } from 'node:async_hooks';

import { Logger } from '@nestjs/common';

import { McpError } from '../../errors/mcp.error.js';
import { CallCancelledError, type CancelReason } from '../../errors/call-cancelled.error.js';
import { logFailure, logWarning } from '../../errors/failure.log.js';
import type { ReportError } from '../../errors/quiet.subscriber.js';
import { LogItem, ProgressItem, type CallEvent } from '../../model/event.js';
import { DEFAULT_SERVER } from '../../mcp.constants.js';
import type { CallArguments } from '../../decorators/mcp-context.js';
import type { Arguments, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import type { RegisteredComponent } from '../../registry/registered-component.js';
import type { HeldHeaders } from './response.facade.js';
import { CallContext } from './call-context.js';
import { CallInterruption } from './call-interruption.js';
import { handled, unlessLeft } from './pending-runs.js';
import { watchListeners } from './watched-signal.js';
import type { Cancellable, CallLink } from './call-link.js';
import { EventOutbox } from './event.outbox.js';
import { CallRounds, type AskingCall, type RoundParts } from '../rounds/call.rounds.js';
import { acceptsLog, checkLog, checkProgress, MAX_UPDATES, nextTurn, TURN } from './event.rules.js';

const logger = new Logger('McpHandler');

/** Returned for events that were not sent. */
const NOTHING = Promise.resolve();

/** Where a call runs. */
export interface CallEnvironment {
  readonly server: string;
  /** Time limit in milliseconds for components without a limit of their own; unlimited if left out. */
  readonly timeoutMs?: number;
  /** Left out where guards decide about a list, since no handler is called. */
  readonly rounds?: RoundParts;
}

const DEFAULT_ENVIRONMENT: CallEnvironment = { server: DEFAULT_SERVER };

/** `waiting`: its instance may not exist yet. `guarding`: its guards run. `entered`: its guards have allowed it. */
export type CallStage = 'waiting' | 'guarding' | 'entered';

/** One running handler: its request, its events, and how it ends. */
export class Call implements CallArguments, Cancellable, AskingCall {
  /** The parsed arguments, replaced by the validated ones after validation. */
  arguments: unknown;
  /** An error that is thrown in stage `guarding` is about the caller. */
  stage: CallStage = 'waiting';
  /** Set where refused callers must not learn that the component exists: no event is sent before its guards allow the call. */
  held: HeldHeaders | undefined;
  /** Set once arguments passed their schema. */
  validated = false;
  /** Set when the handler stopped to ask the client. */
  interruption: Outcome | undefined;
  private seenContext: CallContext | undefined;
  private seenRounds: CallRounds | undefined;
  private controller: AbortController | undefined;
  /** Async context in which listeners of the signal run, since a call is ended from another context. */
  private scope: AsyncResource | undefined;
  private ending: CancelReason | 'finished' | undefined;
  /** Whether an interceptor has stopped waiting for the running handler. */
  private isAbandoned = false;
  private lastProgress = Number.NEGATIVE_INFINITY;
  private updates = 0;
  private eventCount = 0;
  /** The newest of the updates beyond the budget. */
  private latestProgress: ProgressItem | undefined;
  private outbox: EventOutbox | undefined;
  private leave: (() => void) | undefined;

  constructor(
    readonly request: OperationRequest,
    readonly component: RegisteredComponent,
    args: Arguments,
    private readonly link: CallLink,
    private readonly environment: CallEnvironment = DEFAULT_ENVIRONMENT,
  ) {
    this.arguments = args;
  }

  /** Name of the server that received the call. */
  get server(): string {
    return this.environment.server;
  }

  get owner(): string {
    return this.component.host.owner;
  }

  /** The questions to its client. @throws McpError where a call cannot ask questions. */
  get rounds(): CallRounds {
    const { rounds } = this.environment;
    if (rounds === undefined || this.component.kind === 'completion') {
      throw new McpError(
        'MCP_CANNOT_ASK',
        `${this.owner} cannot ask its client here. Tools, prompts and resources can, while they are called.`,
      );
    }
    this.seenRounds ??= new CallRounds(this, rounds);
    return this.seenRounds;
  }

  /** The outcome that overrides what the handler returned. */
  get forcedOutcome(): Outcome | undefined | Promise<Outcome | undefined> {
    return this.interruption ?? this.seenRounds?.leftover()?.then((outcome) => this.interruption ?? outcome);
  }

  /** Created on first use, like the signal, since most handlers use neither. */
  get context(): CallContext {
    this.seenContext ??= new CallContext(this);
    return this.seenContext;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      this.scope = new AsyncResource('McpCall');
      watchListeners(this.controller.signal, reporterOf(this.owner, 'when its call was cancelled'));
      this.abort();
    }
    return this.controller.signal;
  }

  get running(): boolean {
    return this.ending === undefined;
  }

  get timeoutMs(): number {
    const { component, environment } = this;
    const own = component.kind === 'completion' ? undefined : component.options.timeoutMs;
    return own ?? environment.timeoutMs ?? Infinity;
  }

  /** Whether the call was ended before its handler returned. */
  get cancelled(): boolean {
    return this.ending !== undefined && this.ending !== 'finished';
  }

  /** Resolves when the event was written, dropped, or replaced by a newer one. */
  emit(event: CallEvent): Promise<void> {
    let sent = NOTHING;
    try {
      if (this.admits(event)) sent = this.sent.push(event);
    } catch (error) {
      return handled(Promise.reject(error));
    }
    this.eventCount += 1;
    return this.eventCount % TURN === 0 ? handled(sent.then(nextTurn)) : sent;
  }

  /** `emit` without a promise, for callers that cannot wait. @throws TypeError for invalid events. */
  post(event: CallEvent, reject: (cause: unknown) => void): void {
    if (this.admits(event)) this.sent.post(event, { reject });
  }

  /** Logs an error of the app that can no longer reach the client. */
  reportError(error: unknown): void {
    reporterOf(this.owner, 'at its end')(error);
  }

  /** Resolves when all events of the handler are written, since they must precede the answer. */
  settled(): Promise<void> | undefined {
    const { latestProgress } = this;
    this.latestProgress = undefined;
    if (latestProgress !== undefined && this.running) void this.sent.push(latestProgress);
    return this.outbox?.drained();
  }

  /**
   * Ends the run with a question to the client, or with the reason why it cannot be asked, even if the handler, its interceptors or its filters catch the error that is thrown here.
   *
   * @throws CallInterruption always.
   */
  interrupt(outcome: Outcome): never {
    this.interruption ??= outcome;
    throw new CallInterruption();
  }

  /** Settles as `run` does, but resolves at once to `undefined` when the call is cancelled before its guards have allowed it. */
  entrance<T>(run: Promise<T>): Promise<T | undefined> {
    if (this.stage === 'entered') return run;
    return unlessLeft(run, (leave) => {
      this.leave = leave;
    });
  }

  /** @throws CallCancelledError when the call was cancelled, so that no more code of the app starts for it. */
  enter(stage: CallStage): void {
    const { ending } = this;
    if (ending !== undefined && ending !== 'finished') throw new CallCancelledError(ending);
    this.stage = stage;
    if (stage === 'entered') this.reveal();
  }

  /** Stops concealing the component: sets the held headers and lets events pass. */
  reveal(): void {
    this.held?.release();
    this.held = undefined;
  }

  /** Gives the handler a new signal if an interceptor has ended an earlier run and now retries. */
  begin(): void {
    if (!this.isAbandoned) return;
    this.isAbandoned = false;
    this.controller = undefined;
  }

  /** Called when an interceptor has ended the run of the handler, for example by a timeout; the client still waits for an answer. */
  abandon(): void {
    this.isAbandoned = true;
    if (this.controller !== undefined) this.abort();
  }

  finish(): void {
    this.ending ??= 'finished';
  }

  cancel(reason: CancelReason): void {
    if (!this.running) return;
    this.ending = reason;
    if (this.controller !== undefined) this.abort();
    if (this.stage !== 'entered') this.leave?.();
  }

  private abort(): void {
    const { ending } = this;
    const reason =
      ending !== undefined && ending !== 'finished' ? ending : this.isAbandoned ? 'interceptor' : undefined;
    if (reason === undefined) return;
    const { controller, scope } = this;
    scope?.runInAsyncScope(() => controller?.abort(new CallCancelledError(reason)));
  }

  private get sent(): EventOutbox {
    this.outbox ??= new EventOutbox((item, written) => this.link.send(item, written));
    return this.outbox;
  }

  private admits(event: CallEvent): boolean {
    if (event instanceof ProgressItem) checkProgress(event);
    else checkLog(event);
    return this.running && this.isWanted(event);
  }

  private isWanted(event: CallEvent): boolean {
    if (this.held !== undefined) return false;
    if (event instanceof LogItem) return acceptsLog(event.level, this.request.client.logLevel);
    if (this.request.progressToken === undefined || event.progress <= this.lastProgress) return false;
    this.lastProgress = event.progress;
    this.updates += 1;
    if (this.updates < MAX_UPDATES) return true;
    this.latestProgress = event;
    if (this.updates === MAX_UPDATES + 1) this.warn();
    return false;
  }

  private warn(): void {
    logWarning(
      logger,
      `${this.owner} reported too much progress`,
      `${this.owner} reported progress more than ${MAX_UPDATES} times in one call, so only the last update is sent from now on. Report progress in larger steps.`,
    );
  }
}

/** Does not reference the call, since its signal may live longer. Rethrowing the reason of the signal is not a failure. */
function reporterOf(owner: string, when: string): ReportError {
  return (error) => {
    if (!(error instanceof CallCancelledError)) logFailure(logger, `${owner} failed ${when}`, error);
  };
}
