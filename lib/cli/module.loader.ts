import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import {
  chooseModule,
  exportsOf,
  isModule,
  type Exports,
  type ModuleChoice,
  type RootModule,
} from '../transports/stdio/root-module.finder.js';
import { CommandError } from './command.error.js';

const MODULE_METADATA = ['imports', 'providers', 'controllers', 'exports'];

/**
 * The real path of a file, from which Node.js resolves its imports.
 *
 * @throws CommandError if the file does not exist.
 */
export function locateModule(file: string): string {
  const path = resolve(file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return realpathSync(path);
  throw new CommandError(`There is no file ${path}. Build the app, and pass the compiled file of its module.`);
}

/**
 * Finds the module of an app in a compiled file, an ES module or CommonJS.
 *
 * @throws CommandError if the file exports no such module; errors of the file itself are passed on.
 */
export async function loadAppModule(path: string, exported: string | undefined): Promise<RootModule> {
  const names = exportsOf(await load(path));
  const choice = chooseModule(names, MODULE_METADATA);
  return exported === undefined ? guessModule(choice, path) : namedModule(names, path, exported, choice);
}

async function load(path: string): Promise<Exports> {
  try {
    return (await import(pathToFileURL(path).href)) as Exports;
  } catch (error) {
    // The error depends on the version of Node.js: old versions refuse the extension, new versions the decorators.
    if (!/\.[cm]?tsx?$/.test(path)) throw error;
    throw new CommandError(`${path} is not compiled. Build the app, and pass the JavaScript file of its module.`, {
      cause: error,
    });
  }
}

function namedModule(names: Exports, path: string, name: string, { candidates }: ModuleChoice): RootModule {
  const found = names[name];
  if (isModule(found, MODULE_METADATA)) return found;
  const fault = found === undefined ? `does not export ${name}` : `exports ${name}, which is no Nest module`;
  throw new CommandError(`${path} ${fault}. ${offer(candidates)}`);
}

function guessModule({ chosen, candidates }: ModuleChoice, path: string): RootModule {
  if (chosen !== undefined) return chosen;
  if (candidates.length === 0) {
    throw new CommandError(`${path} exports no Nest module. Pass the compiled file of the app's root module.`);
  }
  throw new CommandError(`${path} exports several modules. ${offer(candidates)}`);
}

function offer(candidates: ModuleChoice['candidates']): string {
  return candidates.length === 0
    ? "Pass the compiled file of the app's root module."
    : `Choose one: ${candidates.map(([name]) => `--export ${name}`).join(', ')}.`;
}
