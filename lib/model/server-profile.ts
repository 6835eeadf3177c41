import type { CacheHint, CacheSubject } from './outcome.js';
import type { Implementation } from './peer.js';

/** What a server says about itself; the capabilities follow from what it really offers. */
export abstract class ServerProfile {
  abstract readonly identity: Implementation;
  abstract readonly instructions: string | undefined;
  abstract readonly capabilities: Readonly<Record<string, unknown>>;
  /** Whether clients can listen for changes. */
  abstract readonly subscriptions: boolean;

  abstract cacheHint(subject: CacheSubject): CacheHint;
}
