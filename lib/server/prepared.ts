import type { Dialect } from '../dialects/dialect.js';
import type { JobKey } from '../execution/job.js';
import type { OperationRequest } from '../model/operation.js';
import type { Refusal, ReplyForms } from '../wire/exchange.js';

/** What became of an exchange before any handler ran. */
export type Prepared =
  | {
      readonly kind: 'request';
      readonly request: OperationRequest;
      readonly dialect: Dialect;
      readonly forms: ReplyForms;
    }
  /** A notification: nothing is answered. */
  | {
      readonly kind: 'accepted';
      /** The running request that it cancels. */
      readonly cancels?: JobKey;
      /** Whether it may be a subscription: where all share one connection, none of them ends with it. */
      readonly endsStreams?: boolean;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** What was not refused. */
export type Admitted = Exclude<Prepared, { kind: 'refused' }>;
export type PreparedRequest = Extract<Prepared, { kind: 'request' }>;
export type PreparedNotification = Extract<Prepared, { kind: 'accepted' }>;
