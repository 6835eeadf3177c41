import { parseArgs } from 'node:util';

import { CommandError } from './command.error.js';

export interface DoctorArguments {
  /** Compiled file with the module. */
  readonly file: string;
  /** Name under which the file exports it. */
  readonly exported?: string;
  readonly json: boolean;
  readonly verbose: boolean;
}

export type CommandLine = { readonly kind: 'help' } | { readonly kind: 'doctor'; readonly arguments: DoctorArguments };

export const USAGE = `Usage: nestjs-mcp doctor <file> [options]

Starts the app of a compiled module without listening, prints its MCP servers and what is risky about them.

  <file>            the compiled module, such as dist/app.module.js
  --export <name>   name of the module in the file (default: AppModule, or the only module)
  --json            print JSON
  --verbose         print the stack of an error
  --help            print this

Exit code: 0 without findings, 1 with findings, 2 if the app does not start.
`;

/** @throws CommandError saying what is wrong, and how to ask. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args);
  const [command, file, ...rest] = positionals;
  if (command === undefined || values.help) return { kind: 'help' };
  if (command !== 'doctor') throw misuse(`There is no command "${command}".`);
  if (file === undefined) throw misuse('The doctor needs a file, such as dist/app.module.js.');
  if (rest.length > 0) throw misuse(`The doctor takes one file, not also ${rest.join(', ')}.`);
  const { export: exported, json, verbose } = values;
  return { kind: 'doctor', arguments: { file, json, verbose, ...(exported === undefined ? {} : { exported }) } };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        export: { type: 'string' },
        json: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    });
  } catch (error) {
    throw misuse(`${(error as Error).message.replace(/\.$/, '')}.`);
  }
}

function misuse(reason: string): CommandError {
  return new CommandError(`${reason} See nestjs-mcp --help.`);
}
