#!/usr/bin/env node
import { readCommandLine, USAGE, type CommandLine } from './command-line.js';
import { FAILED, runDoctor, type CommandResult } from './doctor.command.js';
import { divertOutput } from './output.diversion.js';

async function main(args: readonly string[]): Promise<void> {
  const print = divertOutput();
  const { exitCode, output } = await runCommand(args);
  await print(output);
  // What an app left open would keep the process alive.
  process.exit(exitCode);
}

async function runCommand(args: readonly string[]): Promise<CommandResult> {
  let line: CommandLine;
  try {
    line = readCommandLine(args);
  } catch (error) {
    return { exitCode: FAILED, output: `${(error as Error).message}\n` };
  }
  return line.kind === 'help' ? { exitCode: 0, output: USAGE } : runDoctor(line.arguments);
}

void main(process.argv.slice(2));
