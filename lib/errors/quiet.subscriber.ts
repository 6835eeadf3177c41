import { EmptyError, isObservable, Observable, Subscriber, UnsubscriptionError, type Observer } from 'rxjs';

/** Receives errors of the app that cannot reach a client. */
export type Complain = (error: unknown) => void;

/**
 * Subscribes to an Observable of an app. RxJS rethrows the errors of a teardown in the code that happens to run: a timer
 * of the app, or an unhandled promise, which ends the process. This subscriber passes them to `complain` instead.
 */
export class QuietSubscriber<T> extends Subscriber<T> {
  constructor(
    observer: Observer<T>,
    private readonly complain: Complain,
  ) {
    super(observer);
  }

  /** Replaces `subscribe`, which throws synchronous errors of the source. */
  follow(source: Observable<T>): this {
    try {
      source.subscribe(this);
    } catch (error) {
      if (this.isStopped) this.tell(error);
      else this.error(error);
    }
    return this;
  }

  override unsubscribe(): void {
    try {
      super.unsubscribe();
    } catch (error) {
      this.tell(error);
    }
  }

  private tell(error: unknown): void {
    const causes = error instanceof UnsubscriptionError ? error.errors : [error];
    for (const cause of causes) this.complain(cause);
  }
}

/** Keeps the latest of many values. Promises among the values must not end the process when they reject. */
export class LastValue {
  private newest: unknown;

  constructor(private readonly complain: Complain) {}

  get value(): unknown {
    return this.newest;
  }

  set(value: unknown): void {
    this.drop();
    this.newest = value;
    if (value instanceof Promise) value.catch(() => undefined);
  }

  /** Drops the value, which will not be read. */
  drop(): void {
    if (this.newest instanceof Promise) this.newest.catch(this.complain);
    this.newest = undefined;
  }
}

/** The last value of an Observable. Rejects when it emits nothing. */
export function lastValueOf(source: Observable<unknown>, complain: Complain): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const last = new LastValue(complain);
    let isEmpty = true;
    const observer: Observer<unknown> = {
      next: (value) => {
        isEmpty = false;
        last.set(value);
      },
      error: (error) => {
        last.drop();
        reject(error);
      },
      complete: () => (isEmpty ? reject(new EmptyError()) : resolve(last.value)),
    };
    new QuietSubscriber(observer, complain).follow(source);
  });
}

/** Resolves the result of a guard: a value, an Observable, or a promise of either. */
export async function settleVerdict(verdict: unknown, complain: Complain): Promise<unknown> {
  const settled: unknown = await verdict;
  return isObservable(settled) ? lastValueOf(settled, complain) : settled;
}

/** Wraps an Observable so that errors of its teardown go to `complain`. */
export function quietly<T>(source: Observable<T>, complain: Complain): Observable<T> {
  return new Observable((subscriber) => {
    new QuietSubscriber(subscriber, complain).follow(source);
  });
}
