import { takeUntil, type Observable, type Subscription } from 'rxjs';

import type { ClientCodec, ServerMessage } from '../dialects/client-codec.js';
import { MalformedAnswerError, McpRequestError } from '../errors/client.errors.js';
import type { LinkMessage } from '../wire/link.js';

/** Receives messages before the response; `taken` requests the next one. */
export type MessageListener = (message: ServerMessage, taken: () => void) => void;

export interface PendingParts {
  readonly codec: ClientCodec;
  readonly messages: Observable<LinkMessage>;
  /** Errors when the client is closed. */
  readonly closed: Observable<never>;
  readonly signal: AbortSignal | undefined;
  readonly listen: MessageListener;
}

const NOTHING = (): void => undefined;

/** Waits for the result of a request, its error, its cancellation or the end of its client, whichever is first. */
export function awaitResult(parts: PendingParts): Promise<Readonly<Record<string, unknown>>> {
  const { codec, messages, closed, signal, listen } = parts;
  return new Promise((resolve, reject) => {
    let subscription: Subscription | undefined;
    let isOver = false;
    const end = (settle: () => void): void => {
      if (isOver) return;
      isOver = true;
      signal?.removeEventListener('abort', abort);
      subscription?.unsubscribe();
      settle();
    };
    const fail = (error: unknown): void => end(() => reject(error));
    const abort = (): void => fail(signal?.reason);
    const take = ({ json, written = NOTHING }: LinkMessage): void => {
      if (isOver) return;
      const message = codec.decode(json);
      switch (message.kind) {
        case 'result':
          end(() => resolve(message.result));
          break;
        case 'error':
          fail(new McpRequestError(message.code, message.message, message.data));
          break;
        case 'malformed':
          fail(new MalformedAnswerError(message.reason));
          break;
        default:
          listen(message, written);
          return;
      }
      written();
    };
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    signal?.addEventListener('abort', abort, { once: true });
    subscription = messages.pipe(takeUntil(closed)).subscribe({
      next: (message) => {
        try {
          take(message);
        } catch (error) {
          // An error of the caller's listener ends only this request.
          fail(error);
        }
      },
      error: fail,
      complete: () => fail(new MalformedAnswerError('it ended the stream without a response')),
    });
    if (isOver) subscription.unsubscribe();
  });
}
