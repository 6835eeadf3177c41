import type { Change, ChangeFilter } from '../model/change.js';

interface Delivery {
  readonly change: Change;
  readonly taken: () => void;
}

type Step = IteratorResult<Change, undefined>;

interface Waiting {
  readonly promise: Promise<Step>;
  readonly resolve: (step: Step) => void;
  readonly reject: (error: unknown) => void;
}

const DONE: Step = Object.freeze({ done: true, value: undefined });

/**
 * Iterates over changes of a server: `for await (const change of subscription)`. Ends when the server closes or `close()`
 * is called; throws when the connection is lost. A slow reader never uses more of the server's memory than its queue.
 *
 * @publicApi
 */
export class McpSubscription implements AsyncIterableIterator<Change, undefined>, AsyncDisposable {
  private readonly delivered: Delivery[] = [];
  private readonly waiting: Waiting[] = [];
  private ending: { readonly error?: unknown } | undefined;

  /** @internal */
  constructor(
    /** The part of the requested changes that the server accepted. */
    readonly filter: ChangeFilter,
    private readonly stop: () => void,
  ) {}

  next(): Promise<Step> {
    const delivery = this.delivered.shift();
    if (delivery !== undefined) {
      delivery.taken();
      return Promise.resolve({ done: false, value: delivery.change });
    }
    if (this.ending !== undefined) return this.last();
    const waiting = withResolvers();
    this.waiting.push(waiting);
    return waiting.promise;
  }

  /** Ends the subscription and drops unread changes; may be called repeatedly. */
  async close(): Promise<void> {
    this.delivered.length = 0;
    this.end();
    this.stop();
  }

  async return(): Promise<Step> {
    await this.close();
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** @internal */
  deliver(change: Change, taken: () => void): void {
    const waiting = this.waiting.shift();
    if (waiting === undefined) {
      this.delivered.push({ change, taken });
      return;
    }
    waiting.resolve({ done: false, value: change });
    taken();
  }

  /** @internal */
  end(...[error]: [error?: unknown]): void {
    if (this.ending !== undefined) return;
    this.ending = error === undefined ? {} : { error };
    const [first, ...others] = this.waiting.splice(0);
    if (first === undefined) return;
    if (error === undefined) first.resolve(DONE);
    else first.reject(error);
    for (const waiting of others) waiting.resolve(DONE);
    this.ending = {};
  }

  /** Throws an error once; after that the iteration is done. */
  private last(): Promise<Step> {
    const { error } = this.ending ?? {};
    this.ending = {};
    return error === undefined ? Promise.resolve(DONE) : Promise.reject(error);
  }
}

/** Replaces `Promise.withResolvers`, which Node.js 20 lacks. */
function withResolvers(): Waiting {
  let resolve!: Waiting['resolve'];
  let reject!: Waiting['reject'];
  const promise: Waiting['promise'] = new Promise((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
}
