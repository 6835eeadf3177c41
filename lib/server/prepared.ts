import type { Dialect } from '../dialects/dialect.js';
import type { JobKey } from '../execution/job.js';
import type { OperationRequest } from '../model/operation.js';
import type { Refusal, ReplyForms } from '../wire/exchange.js';

/** The result of admission and decoding, before any handler runs. */
export type Prepared =
  | {
      readonly kind: 'request';
      readonly request: OperationRequest;
      readonly dialect: Dialect;
      readonly forms: ReplyForms;
    }
  /** A notification, which gets no answer. */
  | {
      readonly kind: 'accepted';
      /** The running request that the notification cancels. */
      readonly cancels?: JobKey;
      /** Whether the cancelled request may be a subscription, which on a shared connection nothing else would end. */
      readonly endsStreams?: boolean;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** A request or notification that was not refused. */
export type Admitted = Exclude<Prepared, { kind: 'refused' }>;
export type PreparedRequest = Extract<Prepared, { kind: 'request' }>;
export type PreparedNotification = Extract<Prepared, { kind: 'accepted' }>;
