import { writeSync } from 'node:fs';

import type { Finding } from '../boot-audit/audit.js';
import { inspectApp } from './app.inspector.js';
import { CommandError } from './command.error.js';
import type { DoctorArguments } from './command-line.js';
import { locateModule } from './module.loader.js';
import { findNestCopies } from './nest-copies.js';
import { printFailure, printInspection } from './report.printer.js';

/** The exit code and output of a command. */
export interface CommandResult {
  readonly exitCode: 0 | 1 | 2;
  readonly output: string;
}

/** The exit code of a command that failed. */
export const FAILED = 2;

/** Never throws: an app that does not start is also a result. */
export async function runDoctor({ file, timeoutSeconds, ...asked }: DoctorArguments): Promise<CommandResult> {
  let copies: readonly Finding[] = [];
  const failed = (error: unknown): CommandResult => ({
    exitCode: FAILED,
    output: printFailure(error, copies, asked),
  });
  const ends = watchExit(failed);
  try {
    const located = locateModule(file);
    copies = findNestCopies(located);
    const { servers, findings } = await withinTime(timeoutSeconds, inspectApp({ ...asked, file: located }));
    const all = [...copies, ...findings];
    return { exitCode: all.length === 0 ? 0 : 1, output: printInspection({ servers, findings: all }, asked) };
  } catch (error) {
    return failed(error);
  } finally {
    ends();
  }
}

/** An app that ends or crashes the process must not be reported as inspected. */
function watchExit(failed: (error: CommandError) => CommandResult): () => void {
  const onExit = (code: number): void => {
    const reason = `The app ended the process with code ${code} while it started.`;
    const { exitCode, output } = failed(new CommandError(reason));
    process.exitCode = exitCode;
    // No asynchronous work runs any more.
    writeSync(process.stdout.fd, output);
  };
  process.once('exit', onExit);
  return () => process.off('exit', onExit);
}

/** @throws CommandError if an app does not start in time, or if nothing is pending that could continue its start. */
async function withinTime<T>(seconds: number, start: Promise<T>): Promise<T> {
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
