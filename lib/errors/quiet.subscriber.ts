import { EmptyError, isObservable, Observable, Subscriber, UnsubscriptionError, type Observer } from 'rxjs';

/** Told what code of an app threw where nobody can be answered for it. */
export type Complain = (error: unknown) => void;

/**
 * Subscribes to an Observable of an app. RxJS throws what a teardown throws at whoever happens to be there: a timer of the
 * app, or a promise that nobody holds, which ends the process. Here it is told, and thrown at nobody.
 */
export class QuietSubscriber<T> extends Subscriber<T> {
  constructor(
    observer: Observer<T>,
    private readonly complain: Complain,
  ) {
    super(observer);
  }

  /** In place of `subscribe`, which throws what goes wrong at once. */
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

/** The newest of many values. Promises among the others must not end the process when they reject, nor must this one. */
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

  /** Nobody will ask for it. */
  drop(): void {
    if (this.newest instanceof Promise) this.newest.catch(this.complain);
    this.newest = undefined;
  }
}

/** What an Observable emits last. Rejects when it emits nothing. */
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

/** What a guard decided: a value, an Observable of it, or a promise of either. */
export async function settleVerdict(verdict: unknown, complain: Complain): Promise<unknown> {
  const settled: unknown = await verdict;
  return isObservable(settled) ? lastValueOf(settled, complain) : settled;
}

/** The same Observable, except that its teardown throws at nobody. */
export function quietly<T>(source: Observable<T>, complain: Complain): Observable<T> {
  return new Observable((subscriber) => {
    new QuietSubscriber(subscriber, complain).follow(source);
  });
}
