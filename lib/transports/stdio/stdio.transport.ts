import { AsyncResource } from 'node:async_hooks';
import type { Readable } from 'node:stream';

import { Logger } from '@nestjs/common';

import { logWithReference } from '../../errors/failure.log.js';
import { logError } from '../../errors/log-line.js';
import type { Prepared, PreparedRequest } from '../../server/prepared.js';
import { encodeError } from '../../wire/json-rpc.codec.js';
import { INTERNAL_ERROR, INVALID_REQUEST } from '../../wire/json-rpc.js';
import { LineDecoder, type LineEvent } from './line.decoder.js';
import { OpenReplies } from '../../server/open-replies.js';
import type { LineWriter } from './line.writer.js';
import type { StdioHost } from './stdio-host.interface.js';
import { StdioExchange, type StdioClient, StdioReply } from './stdio.exchange.js';
import type { StdioSettings } from './stdio.settings.js';

/** Why serving has ended. */
export type StdioEnd = 'input-ended' | 'output-failed';

/** Both directions of a pipe. The transport closes neither. */
export interface StdioPipe {
  readonly input: Readable;
  readonly writer: LineWriter;
}

/** Serves one client over a pipe: lines in, lines out, any number of requests at the same time. */
export class StdioTransport {
  private readonly logger = new Logger('McpStdio');
  private readonly replies = new OpenReplies();
  private readonly decoder: LineDecoder;
  private readonly client: StdioClient;
  private readonly subscriptions: ReturnType<StdioHost['exchanges']['subscriptionPlaces']>;
  private readonly drainTimeoutMs: number;
  private isReading = false;
  private end: ((end: StdioEnd) => void) | undefined;

  constructor(
    private readonly host: StdioHost,
    private readonly pipe: StdioPipe,
    settings: Pick<StdioSettings, 'auth' | 'maxLineBytes' | 'maxSubscriptions' | 'drainTimeoutMs'>,
  ) {
    this.decoder = new LineDecoder(settings.maxLineBytes);
    this.client = { auth: settings.auth, authProperty: host.properties.auth };
    this.drainTimeoutMs = settings.drainTimeoutMs ?? host.drainTimeoutMs;
    this.subscriptions = host.exchanges.subscriptionPlaces(settings.maxSubscriptions);
  }

  /** Reads until the input ends or answers are not read any more; resolves with the reason. Called once. */
  serve(): Promise<StdioEnd> {
    const { input, writer } = this.pipe;
    const ended = new Promise<StdioEnd>((resolve) => {
      this.end = resolve;
    });
    writer.onFailure = this.outputFailed;
    writer.onRelief = this.relieved;
    this.isReading = true;
    input.on('data', this.read);
    input.once('end', this.inputEnded);
    input.once('close', this.inputEnded);
    input.on('error', this.inputEnded);
    if (writer.failure !== undefined) this.outputFailed(writer.failure);
    else if (input.readableEnded || input.destroyed) this.inputEnded();
    return ended;
  }

  /**
   * Stops reading, ends subscriptions, and waits for running calls within the time limit. Resolves when all output is
   * written, with whether that was possible.
   */
  async finish(): Promise<boolean> {
    this.stopReading();
    const { host, pipe } = this;
    host.completeSubscriptions();
    await this.replies.drain(this.drainTimeoutMs);
    await pipe.writer.idle();
    return pipe.writer.failure === undefined;
  }

  private readonly read = (chunk: Uint8Array): void => {
    this.takeAll(this.decoder.push(chunk));
    if (this.pipe.writer.isCongested) this.pipe.input.pause();
  };

  /** An input error also ends the input. */
  private readonly inputEnded = (): void => {
    if (!this.isReading) return;
    this.takeAll(this.decoder.end());
    this.stopReading();
    this.end?.('input-ended');
  };

  private readonly relieved = (): void => {
    if (this.isReading) this.pipe.input.resume();
  };

  private readonly outputFailed = (error: Error): void => {
    this.stopReading();
    logError(this.logger, `The client no longer reads the output of the server: ${error.message}`);
    this.replies.destroyAll();
    this.end?.('output-failed');
  };

  private stopReading(): void {
    const { input } = this.pipe;
    this.isReading = false;
    input.off('data', this.read);
    input.pause();
  }

  private takeAll(events: readonly LineEvent[]): void {
    for (const event of events) {
      // A separate context, so that a context that a guard enters for one line does not apply to later lines.
      if (this.isReading) new AsyncResource('McpLine').runInAsyncScope(() => this.take(event));
    }
  }

  private take(event: LineEvent): void {
    if (event === 'too-long') {
      this.refuse(INVALID_REQUEST, 'The line is too long');
      return;
    }
    try {
      const prepared = this.host.exchanges.prepare(new StdioExchange(event, this.client));
      if (prepared instanceof Promise) prepared.then(this.answer, this.broken);
      else this.answer(prepared);
    } catch (error) {
      this.broken(error);
    }
  }

  private readonly answer = (prepared: Prepared): void => {
    const { host, pipe } = this;
    switch (prepared.kind) {
      case 'request':
        this.run(prepared);
        return;
      case 'refused': {
        const { body, unawaited } = prepared.refusal;
        if (body !== undefined && unawaited !== true) pipe.writer.write(body);
        return;
      }
      case 'accepted':
        host.exchanges.accept(prepared);
        if (prepared.cancels !== undefined) pipe.writer.drop(prepared.cancels.id);
        return;
      default:
        prepared satisfies never;
    }
  };

  private run(prepared: PreparedRequest): void {
    const stream = this.host.exchanges.stream(prepared, this.subscriptions);
    new StdioReply(prepared.request.id, stream, this.pipe.writer, this.replies).begin();
  }

  /** Handles a fault of this library, which must not affect other calls. */
  private readonly broken = (error: unknown): void => {
    const reference = logWithReference(this.logger, 'A line could not be read', error);
    this.refuse(INTERNAL_ERROR, 'Internal error', { reference });
  };

  private refuse(code: number, message: string, data?: object): void {
    const error = data === undefined ? { code, message } : { code, message, data };
    this.pipe.writer.write(encodeError(undefined, error));
  }
}
