import * as nodeModule from 'node:module';

/** One export of every CommonJS module that Node has loaded from files with the given name, in any folder. */
export class LoadedExports<Value> {
  private fileCount = 0;
  private values: readonly Value[] = [];

  constructor(
    private readonly file: RegExp,
    private readonly name: string,
    private readonly isWanted: (value: unknown) => value is Value,
  ) {}

  list(): readonly Value[] {
    const modules = readModuleCache();
    const files = Object.keys(modules);
    if (files.length === this.fileCount) return this.values;
    this.fileCount = files.length;
    this.values = files
      .filter((file) => this.file.test(file))
      .map((file) => readExport(modules[file], this.name))
      .filter((value) => this.isWanted(value));
    return this.values;
  }
}

type ModuleCache = Readonly<Record<string, { readonly exports?: unknown } | undefined>>;

/**
 * `require.cache` of Node, the same for every file; other runtimes may not have it. In a bundle, `require.cache` and a
 * named import of `createRequire()` would belong to the bundler.
 */
function readModuleCache(): ModuleCache {
  try {
    return nodeModule.createRequire(process.execPath).cache ?? {};
  } catch {
    return {};
  }
}

/** A getter is not called, since it may load a module. */
function readExport(module: { readonly exports?: unknown } | undefined, name: string): unknown {
  const exported = module?.exports;
  if (typeof exported !== 'object' || exported === null) return undefined;
  return Object.getOwnPropertyDescriptor(exported, name)?.value as unknown;
}
