import { WatchPolicy } from '../dispatch/access/watch-policy.js';
import type { Caller } from '../model/peer.js';

/** Who asks to watch a resource, as the app's function sees it. */
interface Watcher {
  readonly auth: unknown;
  readonly request: unknown;
}

/** Asks the function of the module options; without one, every caller may watch everything. */
export class OptionWatchPolicy extends WatchPolicy {
  constructor(private readonly ask: ((uri: string, watcher: Watcher) => boolean | Promise<boolean>) | undefined) {
    super();
  }

  get isPresent(): boolean {
    return this.ask !== undefined;
  }

  mayWatch(uri: string, caller: Caller): boolean | Promise<boolean> {
    return this.ask === undefined || this.ask(uri, { auth: caller.auth(), request: caller.request });
  }
}
