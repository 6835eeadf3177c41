import { parseArgs } from 'node:util';

import { PLATFORMS, type Platform } from './app.starter.js';
import { CommandError } from './command.error.js';

/** Options of the command `doctor`. */
export interface DoctorArguments {
  /** Compiled file that contains the module. */
  readonly file: string;
  /** Name of the export. */
  readonly exported?: string;
  /** The HTTP framework of the app, if several are installed. */
  readonly platform?: Platform;
  /** Time for the app to start, in seconds. */
  readonly timeoutSeconds: number;
  readonly json: boolean;
  readonly verbose: boolean;
}

/** The parsed command line. */
export type CommandLine = { readonly kind: 'help' } | { readonly kind: 'doctor'; readonly arguments: DoctorArguments };

/** Timers of Node.js take at most this many seconds in milliseconds. */
const MAX_TIMEOUT_SECONDS = 2_000_000;

/** The output of `--help`. */
export const USAGE = `Usage: nestjs-mcp doctor <file> [options]

Starts the app of a compiled module without listening, prints its MCP servers and what is risky about them.

  <file>                the compiled module, such as dist/app.module.js
  --export <name>       name of the module in the file (default: AppModule, or the only module)
  --platform <name>     express or fastify, where both are installed (default: express)
  --timeout <seconds>   time for the app to start (default: 30)
  --json                print JSON
  --verbose             print the stack of an error
  --help                print this

Exit code: 0 without findings, 1 with findings, 2 if the app does not start.
`;

/** @throws CommandError that names the problem and the correct usage. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args);
  const [command, file, ...rest] = positionals;
  if (command === undefined || values.help) return { kind: 'help' };
  if (command !== 'doctor') throw misuse(`There is no command "${command}".`);
  if (file === undefined) throw misuse('The doctor needs a file, such as dist/app.module.js.');
  if (rest.length > 0) throw misuse(`The doctor takes one file, not also ${rest.join(', ')}.`);
  const { export: exported, json, verbose } = values;
  const platform = readPlatform(values.platform);
  return {
    kind: 'doctor',
    arguments: {
      ...{ file, json, verbose, timeoutSeconds: readTimeout(values.timeout) },
      ...(exported === undefined ? {} : { exported }),
      ...(platform === undefined ? {} : { platform }),
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        export: { type: 'string' },
        platform: { type: 'string' },
        timeout: { type: 'string', default: '30' },
        json: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    });
  } catch (error) {
    throw misuse(`${(error as Error).message.replace(/\.$/, '')}.`);
  }
}

function readPlatform(name: string | undefined): Platform | undefined {
  if (name === undefined) return undefined;
  const platform = PLATFORMS.find((known) => known === name);
  if (platform === undefined) throw misuse(`--platform takes ${PLATFORMS.join(' or ')}, not "${name}".`);
  return platform;
}

function readTimeout(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS) return seconds;
  throw misuse(`--timeout takes seconds, more than 0 and up to ${MAX_TIMEOUT_SECONDS}, not "${text}".`);
}

function misuse(reason: string): CommandError {
  return new CommandError(`${reason} See nestjs-mcp --help.`);
}
