import type { DynamicModule, Type } from '@nestjs/common';

import { InvalidOptionsError } from '../../errors/invalid-options.error.js';

/** The root module of an app, as Nest accepts it. */
export type RootModule = Type<unknown> | DynamicModule;

/** The exports of a file. */
export type Exports = Readonly<Record<string, unknown>>;

/** The root module, if it is unambiguous, and all candidates with their first exported name. */
export interface ModuleChoice {
  readonly chosen: RootModule | undefined;
  readonly candidates: readonly (readonly [name: string, module: RootModule])[];
}

const USUAL_NAME = 'AppModule';

/** Metadata of `@Module({ imports })`; without imports the module has no server. */
const MODULE_METADATA = ['imports'];

const CURE =
  'Export one class with @Module({ imports: [...] }) from that file, call it AppModule where there are several, or return the class itself: serveStdio(async () => (await import("./app.module.js")).MyModule).';

/**
 * Finds the root module in the result of `import()`: the module itself, or a namespace that exports it.
 *
 * @throws InvalidOptionsError
 */
export function findRootModule(loaded: unknown): RootModule {
  if (isModule(loaded, MODULE_METADATA)) return loaded;
  if (typeof loaded !== 'object' || loaded === null) {
    throw new InvalidOptionsError('serveStdio', `the loader returned no module. ${CURE}`);
  }
  const { chosen, candidates } = chooseModule(exportsOf(loaded as Exports), MODULE_METADATA);
  if (chosen !== undefined) return chosen;
  const fault = candidates.length === 0 ? 'exports no module' : 'exports several modules';
  throw new InvalidOptionsError('serveStdio', `the loaded file ${fault}. ${CURE}`);
}

/** A CommonJS file has its exports a second time as `default`. */
export function exportsOf(namespace: Exports): Exports {
  const { default: whole } = namespace;
  return { ...(typeof whole === 'object' ? whole : {}), ...namespace };
}

/** The module with the usual name, or the only module; `metadata` identifies module classes. */
export function chooseModule(names: Exports, metadata: readonly string[]): ModuleChoice {
  const found = new Map<RootModule, string>();
  for (const [name, value] of Object.entries(names)) {
    if (isModule(value, metadata) && !found.has(value)) found.set(value, name);
  }
  const candidates = [...found].map(([module, name]) => [name, module] as const);
  const usual = names[USUAL_NAME];
  if (isModule(usual, metadata)) return { chosen: usual, candidates };
  return { chosen: candidates.length === 1 ? candidates[0]?.[1] : undefined, candidates };
}

/** A class with some of the metadata of `@Module()`, or a dynamic module. */
export function isModule(value: unknown, metadata: readonly string[]): value is RootModule {
  if (typeof value === 'object' && value !== null) return typeof (value as { module?: unknown }).module === 'function';
  return typeof value === 'function' && metadata.some((key) => hasMetadata(key, value));
}

/** `Reflect.getMetadata` is absent if Nest was not loaded. */
function hasMetadata(key: string, place: object): boolean {
  return (Reflect as { hasOwnMetadata?: typeof Reflect.hasOwnMetadata }).hasOwnMetadata?.(key, place) ?? false;
}
