import { CommandError } from './command.error.js';

/** @throws CommandError when an app has not started in time, or when nothing is left that could go on with its start. */
export async function withinTime<T>(seconds: number, start: Promise<T>): Promise<T> {
  const { promise, reject } = deferred();
  const late = new CommandError(
    `The app has not started within ${seconds} s. Find out what it waits for, or allow more with --timeout.`,
  );
  const stuck = new CommandError(
    'The start of the app never ends: it waits for a promise that nothing will settle. Find it among its async providers and lifecycle hooks.',
  );
  // Unreferenced, so that Node.js notices when the app has nothing more to do.
  const timer = setTimeout(() => reject(late), seconds * 1_000).unref();
  const onIdle = (): void => reject(stuck);
  process.once('beforeExit', onIdle);
  try {
    return await Promise.race([start, promise]);
  } finally {
    clearTimeout(timer);
    process.off('beforeExit', onIdle);
  }
}

function deferred(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_resolve, fail) => {
    reject = fail;
  });
  return { promise, reject };
}
