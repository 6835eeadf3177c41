import { EmptyError, isObservable, Observable, Subscriber, UnsubscriptionError, type Observer } from 'rxjs';

/** Receives errors of the app that cannot reach a client. */
export type ReportError = (error: unknown) => void;

/**
 * Subscribes to an Observable of an app. RxJS rethrows the errors of a teardown in the code that happens to run: a timer
 * of the app, or an unhandled promise, which ends the process. This subscriber passes them to `reportError` instead.
 */
export class QuietSubscriber<T> extends Subscriber<T> {
  constructor(
    observer: Observer<T>,
    private readonly reportError: ReportError,
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
    for (const cause of causes) this.reportError(cause);
  }
}

/** Keeps the latest of many values. Promises among the values must not end the process when they reject. */
export class LastValue {
  private newest: unknown;

  constructor(private readonly reportError: ReportError) {}

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
    if (this.newest instanceof Promise) this.newest.catch(this.reportError);
    this.newest = undefined;
  }
}

/** The last value of an Observable. Rejects when it emits nothing. */
export function lastValueOf(source: Observable<unknown>, reportError: ReportError): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const last = new LastValue(reportError);
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
    new QuietSubscriber(observer, reportError).follow(source);
  });
}

/** Resolves the result of a guard: a value, an Observable, or a promise of either. */
export async function settleVerdict(verdict: unknown, reportError: ReportError): Promise<unknown> {
  const settled: unknown = await verdict;
  return isObservable(settled) ? lastValueOf(settled, reportError) : settled;
}

/** Wraps an Observable so that errors of its teardown go to `reportError`. */
export function reportTeardownErrors<T>(source: Observable<T>, reportError: ReportError): Observable<T> {
  return new Observable((subscriber) => {
    new QuietSubscriber(subscriber, reportError).follow(source);
  });
}
