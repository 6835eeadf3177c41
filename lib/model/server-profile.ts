import type { CacheHint, CacheSubject } from './outcome.js';
import type { Implementation } from './peer.js';

/** Name, version and capabilities of a server; the capabilities follow from its components. */
export abstract class ServerProfile {
  abstract readonly identity: Implementation;
  abstract readonly instructions: string | undefined;
  abstract readonly capabilities: Readonly<Record<string, unknown>>;
  /** Whether clients can subscribe to changes. */
  abstract readonly subscriptions: boolean;

  abstract cacheHint(subject: CacheSubject): CacheHint;
}
