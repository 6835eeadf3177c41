import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { DynamicModule, Type } from '@nestjs/common';

import { CommandError } from './command.error.js';

type ModuleDefinition = Type<unknown> | DynamicModule;

type Exports = Readonly<Record<string, unknown>>;

const USUAL_NAME = 'AppModule';
const MODULE_METADATA = ['imports', 'providers', 'controllers', 'exports'];

/**
 * The real place of a file, which is where Node.js looks for what it imports.
 *
 * @throws CommandError when there is no such file.
 */
export function locateModule(file: string): string {
  const path = resolve(file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return realpathSync(path);
  throw new CommandError(`There is no file ${path}. Build the app, and pass the compiled file of its module.`);
}

/**
 * Finds the module of an app in a compiled file, an ES module or CommonJS.
 *
 * @throws CommandError when the file holds no such module; what it throws itself is passed on.
 */
export async function loadAppModule(path: string, exported: string | undefined): Promise<ModuleDefinition> {
  const namespace = await load(path);
  const { default: whole } = namespace;
  const names: Exports = { ...(typeof whole === 'object' ? whole : {}), ...namespace };
  return exported === undefined ? guessModule(names, path) : namedModule(names, path, exported);
}

async function load(path: string): Promise<Exports> {
  try {
    return (await import(pathToFileURL(path).href)) as Exports;
  } catch (error) {
    // Whatever Node.js makes of it: old ones refuse the extension, new ones the decorators.
    if (!/\.[cm]?tsx?$/.test(path)) throw error;
    throw new CommandError(`${path} is not compiled. Build the app, and pass the JavaScript file of its module.`, {
      cause: error,
    });
  }
}

function namedModule(names: Exports, path: string, name: string): ModuleDefinition {
  const found = names[name];
  if (isModule(found)) return found;
  const fault = found === undefined ? `does not export ${name}` : `exports ${name}, which is no Nest module`;
  throw new CommandError(`${path} ${fault}. ${offer(modulesIn(names))}`);
}

function guessModule(names: Exports, path: string): ModuleDefinition {
  const usual = names[USUAL_NAME];
  if (isModule(usual)) return usual;
  const modules = modulesIn(names);
  const [only, ...others] = modules;
  if (only === undefined) {
    throw new CommandError(`${path} exports no Nest module. Pass the compiled file of the app's root module.`);
  }
  if (others.length > 0) throw new CommandError(`${path} exports several modules. ${offer(modules)}`);
  return only[1];
}

function modulesIn(names: Exports): [string, ModuleDefinition][] {
  const found = new Map<ModuleDefinition, string>();
  for (const [name, value] of Object.entries(names)) {
    if (isModule(value) && !found.has(value)) found.set(value, name);
  }
  return [...found].map(([module, name]) => [name, module]);
}

function offer(modules: readonly (readonly [string, unknown])[]): string {
  return modules.length === 0
    ? "Pass the compiled file of the app's root module."
    : `Choose one: ${modules.map(([name]) => `--export ${name}`).join(', ')}.`;
}

/** A class with the metadata of `@Module()`, or a dynamic module. */
function isModule(value: unknown): value is ModuleDefinition {
  if (typeof value === 'object' && value !== null) return typeof (value as { module?: unknown }).module === 'function';
  return typeof value === 'function' && MODULE_METADATA.some((key) => hasMetadata(key, value));
}

/** Without Nest, nothing has loaded the reader of metadata. */
function hasMetadata(key: string, place: object): boolean {
  return (Reflect as { hasOwnMetadata?: typeof Reflect.hasOwnMetadata }).hasOwnMetadata?.(key, place) ?? false;
}
