import type { DynamicModule, Type } from '@nestjs/common';

import { InvalidOptionsError } from '../../errors/invalid-options.error.js';

/** The root module of an app, as Nest takes it. */
export type RootModule = Type<unknown> | DynamicModule;

/** What `@Module({ imports })` leaves on a class; without imports there is no server to serve. */
const MODULE_METADATA = 'imports';

const CURE =
  'Export one class with @Module({ imports: [...] }) from that file, call it AppModule where there are several, or return the class itself: serveStdio(async () => (await import("./app.module.js")).MyModule).';

/**
 * The root module, of whatever `import()` resolves to: the module itself, or a namespace that exports it.
 *
 * @throws InvalidOptionsError
 */
export function findRootModule(loaded: unknown): RootModule {
  if (isModule(loaded)) return loaded;
  if (typeof loaded !== 'object' || loaded === null) {
    throw new InvalidOptionsError('serveStdio', `the loader returned no module. ${CURE}`);
  }
  // A CommonJS file shows its exports once more as its default.
  const { default: fallback } = loaded as { default?: unknown };
  const named = { ...(typeof fallback === 'object' ? fallback : {}), ...loaded } as Readonly<Record<string, unknown>>;
  const { AppModule: usual } = named;
  if (isModule(usual)) return usual;
  const [only, ...others] = new Set(Object.values(named).filter(isModule));
  if (only === undefined) throw new InvalidOptionsError('serveStdio', `the loaded file exports no module. ${CURE}`);
  if (others.length > 0) {
    throw new InvalidOptionsError('serveStdio', `the loaded file exports several modules. ${CURE}`);
  }
  return only;
}

function isModule(value: unknown): value is RootModule {
  if (typeof value === 'function') return Reflect.hasOwnMetadata(MODULE_METADATA, value);
  return typeof value === 'object' && value !== null && typeof (value as { module?: unknown }).module === 'function';
}
