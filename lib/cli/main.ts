#!/usr/bin/env node
import { readCommandLine, USAGE, type CommandLine } from './command-line.js';
import { FAILED, runDoctor, type CommandResult } from './doctor.command.js';

async function main(args: readonly string[]): Promise<void> {
  const print = divertOutput();
  const line = readLine(args);
  if (line === undefined) return;
  const { exitCode, output } = await run(line);
  await print(output);
  // What an app left open would keep the process alive.
  process.exit(exitCode);
}

/** Says what is wrong with a line that cannot be read. */
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

/** Prints to stdout, whatever has become of it for others. */
type Print = (text: string) => Promise<void>;

/** What an app prints from now on goes to stderr, so that the report stands alone on stdout and stays readable JSON. */
function divertOutput(): Print {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return (text) =>
    new Promise((resolve) => {
      write(text, () => resolve());
    });
}

void main(process.argv.slice(2));
