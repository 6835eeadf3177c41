import { LogItem, ProgressItem, type CallEvent, type LogLevel } from '../../model/event.js';
import { readTrace } from '../../metadata/trace.reader.js';
import { McpContext, type McpTrace } from '../../model/mcp-context.js';
import type { OperationRequest } from '../../model/operation.js';
import type { ClientPeer } from '../../model/peer.js';

/** The part of a running call that its context shows. */
export interface ObservedCall {
  readonly signal: AbortSignal;
  readonly request: OperationRequest;
  emit(event: CallEvent): Promise<void>;
}

/** What a handler sees of its call. */
export class CallContext extends McpContext {
  readonly #call: ObservedCall;
  #trace: McpTrace | undefined;

  constructor(call: ObservedCall) {
    super();
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get requestId(): string | number | bigint {
    return this.#call.request.id;
  }

  get protocolVersion(): string {
    return this.#call.request.client.protocolVersion;
  }

  get client(): ClientPeer {
    return this.#call.request.client;
  }

  get auth(): unknown {
    return this.#call.request.caller.auth();
  }

  get request(): unknown {
    const { caller } = this.#call.request;
    return caller.isStandIn === true ? undefined : caller.request;
  }

  get meta(): Readonly<Record<string, unknown>> {
    return this.#call.request.meta;
  }

  get trace(): McpTrace {
    this.#trace ??= readTrace(this.#call.request.meta);
    return this.#trace;
  }

  progress(done: number, total?: number, message?: string): Promise<void> {
    return this.#call.emit(new ProgressItem(done, total, message));
  }

  log(level: LogLevel, data: unknown, logger?: string): Promise<void> {
    return this.#call.emit(new LogItem(level, data, logger));
  }
}
