import { resolve } from 'node:path';

import { inspectApp } from './app.inspector.js';
import { CommandError } from './command.error.js';
import type { DoctorArguments } from './command-line.js';
import { printInspection, printJson } from './report.printer.js';

export interface CommandResult {
  readonly exitCode: 0 | 1 | 2;
  readonly output: string;
}

/** Never throws: an app that does not start is an answer too. */
export async function runDoctor({ file, exported, json, verbose }: DoctorArguments): Promise<CommandResult> {
  try {
    const inspection = await inspectApp(resolve(file), exported);
    const output = json ? printJson(inspection) : printInspection(inspection);
    return { exitCode: inspection.findings.length === 0 ? 0 : 1, output };
  } catch (error) {
    return { exitCode: 2, output: printFailure(error, json, verbose) };
  }
}

function printFailure(error: unknown, json: boolean, verbose: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const stack = verbose && error instanceof Error ? stackOf(error) : undefined;
  if (json)
    return `${JSON.stringify({ error: { message, ...(stack === undefined ? {} : { stack }) } }, undefined, 2)}\n`;
  const heading = error instanceof CommandError ? '' : 'The app does not start.\n';
  return `${heading}${message}\n${stack === undefined ? '' : `\n${stack}\n`}`;
}

function stackOf({ stack, cause }: Error): string {
  return cause instanceof Error ? `${stack}\nCaused by: ${cause.stack}` : `${stack}`;
}
