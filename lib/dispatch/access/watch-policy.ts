import type { Caller } from '../../model/peer.js';

/** Who asks to watch a resource, as the app's function sees it. */
interface Watcher {
  readonly auth: unknown;
  readonly request: unknown;
}

/** Says whose updates a caller may hear of: what the function of the module options says, or else all of them. */
export class WatchPolicy {
  constructor(private readonly ask: ((uri: string, watcher: Watcher) => boolean | Promise<boolean>) | undefined) {}

  /** Whether anybody is asked at all. */
  get isPresent(): boolean {
    return this.ask !== undefined;
  }

  /** Whether the caller may watch the resource; what it refuses is left out of the subscription. */
  mayWatch(uri: string, caller: Caller): boolean | Promise<boolean> {
    return this.ask === undefined || this.ask(uri, { auth: caller.auth(), request: caller.request });
  }
}
