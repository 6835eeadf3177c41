import type { Caller } from '../../model/peer.js';

/** Says whose updates a caller may hear of. */
export abstract class WatchPolicy {
  /** Whether anybody is asked at all. */
  abstract readonly isPresent: boolean;
  /** Whether the caller may watch the resource; what it refuses is left out of the subscription. */
  abstract mayWatch(uri: string, caller: Caller): boolean | Promise<boolean>;
}
