#!/usr/bin/env node
import { divertWrites } from '../transports/stdio/stdout.diversion.js';
import { readCommandLine, USAGE, type CommandLine } from './command-line.js';
import { FAILED, runDoctor, type CommandResult } from './doctor.command.js';

async function main(args: readonly string[]): Promise<void> {
  // Output of the app goes to stderr from now on, so that stdout contains only the report and stays readable JSON.
  const write = divertWrites(process);
  const line = readLine(args);
  if (line === undefined) return;
  const { exitCode, output } = await run(line);
  await new Promise<void>((resolve) => {
    write(output, () => resolve());
  });
  // Resources that an app left open would keep the process alive.
  process.exit(exitCode);
}

/** Reports an error in the command line. */
function readLine(args: readonly string[]): CommandLine | undefined {
  try {
    return readCommandLine(args);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = FAILED;
    return undefined;
  }
}

async function run(line: CommandLine): Promise<CommandResult> {
  return line.kind === 'help' ? { exitCode: 0, output: USAGE } : runDoctor(line.arguments);
}

void main(process.argv.slice(2));
