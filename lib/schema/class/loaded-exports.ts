import * as nodeModule from 'node:module';

/** One export of every CommonJS module that Node has loaded from files of a name, in whatever folders these are. */
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
 * `require.cache` of Node, the same whichever file asks for it; other runtimes may lack it. In a bundle, `require.cache`
 * itself, and `createRequire()` imported by its name, would be those of the bundler.
 */
function readModuleCache(): ModuleCache {
  try {
    return nodeModule.createRequire(process.execPath).cache ?? {};
  } catch {
    return {};
  }
}

/** A getter is left alone: it may load something. */
function readExport(module: { readonly exports?: unknown } | undefined, name: string): unknown {
  const exported = module?.exports;
  if (typeof exported !== 'object' || exported === null) return undefined;
  return Object.getOwnPropertyDescriptor(exported, name)?.value as unknown;
}
