import { Observable } from 'rxjs';

/** Fails when the signal aborts, with its reason. */
export function aborted(signal: AbortSignal): Observable<never> {
  return new Observable((subscriber) => {
    const fail = (): void => subscriber.error(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
    return () => signal.removeEventListener('abort', fail);
  });
}
