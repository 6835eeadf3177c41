import { isFields } from '../../model/fields.js';
import { countBundledCopies } from './bundle-text.js';
import { LoadedExports } from './loaded-exports.js';

/** The metadata of `@Type()`. */
export interface StoredType {
  readonly propertyName?: string;
  readonly typeFunction?: () => unknown;
  readonly options?: { readonly discriminator?: unknown };
}

/** The metadata of `@Expose()`, `@Exclude()` and `@Transform()`. */
export interface StoredConversion {
  readonly propertyName?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

type ByMember<Name, Entry> = ReadonlyMap<object, ReadonlyMap<Name, Entry>>;

/** The metadata that the decorators of one copy stored, by class and member; entries of a class have no member. */
export interface Conversions {
  readonly types: ByMember<string, StoredType>;
  readonly transforms: ByMember<string, readonly StoredConversion[]>;
  readonly exposes: ByMember<string | undefined, StoredConversion>;
  readonly excludes: ByMember<string | undefined, StoredConversion>;
}

/** The storage of one copy, unchanged. */
type Storage = Readonly<Record<(typeof TABLES)[number], Map<object, unknown>>>;

const TABLES = ['_typeMetadatas', '_transformMetadatas', '_exposeMetadatas', '_excludeMetadatas'] as const;

const STORAGE = 'defaultMetadataStorage';

function readConversions(storage: Storage): Conversions {
  const [types, transforms, exposes, excludes] = TABLES.map((table) => storage[table]);
  return { types, transforms, exposes, excludes } as unknown as Conversions;
}

/**
 * Every copy of class-transformer that can be found. A copy keeps the metadata of its decorators in its own storage and
 * nothing on the class, so the copy that the app imports must be among them.
 */
export class ConversionCopies {
  private constructor(
    private readonly imported: Set<Storage>,
    private readonly loaded: LoadedExports<Storage>,
    /** Why there may be a copy that was not found. */
    readonly doubt: string | undefined,
  ) {}

  static async find(): Promise<ConversionCopies> {
    const loaded = new LoadedExports(/[\\/]storage\.[cm]?js$/, STORAGE, isStorage);
    const imported: Set<Storage> = new Set();
    const doubt = await importCopies(imported, loaded);
    return new ConversionCopies(imported, loaded, doubt);
  }

  /** The metadata of all copies, including copies loaded later. */
  list(): readonly Conversions[] {
    return this.storages().map(readConversions);
  }

  /** Returns whether a known copy has decorated a class: that is then the copy which the file of the class imports. */
  hasDecorated(type: unknown): boolean {
    return this.storages().some((storage) => TABLES.some((table) => storage[table].has(type as object)));
  }

  private storages(): readonly Storage[] {
    return [...new Set([...this.imported, ...this.loaded.list()])];
  }
}

/**
 * Adds the copies that imports lead to. Node has one entry to the package. Bundlers choose one of three, each with its
 * own storage: all three are imported by name, so that the one which the bundler gives to the app is among them.
 */
async function importCopies(imported: Set<Storage>, loaded: LoadedExports<Storage>): Promise<string | undefined> {
  const isOutside = (storage: Storage): boolean => loaded.list().includes(storage);
  const common = await importCommon();
  addStorages(imported, [common]);
  const inBundle = countBundledCopies();
  if ([...imported].some(isOutside) && inBundle.total === 0) return undefined;
  addStorages(imported, await importOthers());
  if (!(await isRootInSight([...imported, ...loaded.list()])))
    return 'nestjs-mcp cannot read what the decorators of class-transformer store';
  const readable = [...imported].filter((storage) => !isOutside(storage));
  return inBundle.total > inBundle.countOf(readable.map((storage) => storage.constructor))
    ? 'the bundle of the app holds a copy of class-transformer that nestjs-mcp does not load'
    : undefined;
}

function addStorages(storages: Set<Storage>, modules: readonly unknown[]): void {
  for (const module of modules) {
    const exported = module as Readonly<Record<string, unknown>> | undefined;
    const storage = exported?.[STORAGE] ?? (exported?.['default'] as typeof exported)?.[STORAGE];
    if (isStorage(storage)) storages.add(storage);
  }
}

// The package may be missing. Bundlers accept that only where `import()` itself is in a `try` block.

async function importCommon(): Promise<unknown> {
  try {
    // @ts-expect-error the storage has no types at this path, and the package root does not export it
    return (await import('class-transformer/cjs/storage.js')) as unknown;
  } catch {
    return undefined;
  }
}

/** The other entries that bundlers may choose; Node cannot load these. */
async function importOthers(): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  try {
    // @ts-expect-error as above
    found.push(await import('class-transformer/esm5/storage.js'));
  } catch {
    // It is not in the bundle.
  }
  try {
    // @ts-expect-error as above
    found.push(await import('class-transformer/esm2015/storage.js'));
  } catch {
    // It is not in the bundle.
  }
  return found;
}

type Exclude = () => (target: object) => void;
interface Root {
  readonly Exclude?: Exclude;
}

/** Uses a decorator as the app would, and finds the storage that received its entry. */
async function isRootInSight(storages: readonly Storage[]): Promise<boolean> {
  class Probe {}
  try {
    const root = (await import('class-transformer')) as Root & { readonly default?: Root };
    (root.Exclude ?? root.default?.Exclude)?.()(Probe);
  } catch {
    // It is not installed, so no class can have its decorators.
    return true;
  }
  // Without this line, the storage would keep the test class for ever.
  const removed = storages.map((storage) => storage['_excludeMetadatas'].delete(Probe));
  return removed.includes(true);
}

function isStorage(value: unknown): value is Storage {
  return isFields(value) && TABLES.every((table) => value[table] instanceof Map);
}
