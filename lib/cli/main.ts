#!/usr/bin/env node
import { readCommandLine, USAGE, type CommandLine } from './command-line.js';
import { runDoctor, type CommandResult } from './doctor.command.js';

/** Also the answer of an app whose start never ends while nothing keeps the process alive. */
process.exitCode = 2;

async function runCommand(args: readonly string[]): Promise<CommandResult> {
  let line: CommandLine;
  try {
    line = readCommandLine(args);
  } catch (error) {
    return { exitCode: 2, output: `${(error as Error).message}\n` };
  }
  return line.kind === 'help' ? { exitCode: 0, output: USAGE } : runDoctor(line.arguments);
}

/** What an app left open would keep the process alive. */
void runCommand(process.argv.slice(2)).then(({ exitCode, output }) => {
  process.stdout.write(output, () => process.exit(exitCode));
});
