import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';

/** One rule as class-validator stores it. */
export interface StoredRule {
  readonly type: string;
  readonly name?: string;
  readonly propertyName: string;
  readonly constraintCls?: object;
  readonly constraints?: readonly unknown[];
  readonly message?: string | ((args: RuleArguments) => string);
  readonly groups?: readonly string[];
  readonly always?: boolean;
  readonly each?: boolean;
  readonly validateIf?: (object: unknown, value: unknown) => boolean;
}

/** What class-validator hands to a rule. */
export interface RuleArguments {
  readonly targetName: string;
  readonly property: string;
  readonly object: object;
  readonly value: unknown;
  readonly constraints: readonly unknown[];
}

/** The code of a rule. */
export interface RuleConstraint {
  readonly name: string;
  readonly async: boolean;
  readonly instance: {
    validate(value: unknown, args: RuleArguments): boolean | Promise<boolean>;
    defaultMessage?(args: RuleArguments): string;
  };
}

/** The part of class-validator's storage that is read. */
export interface RuleStorage {
  getTargetValidationMetadatas(type: object, schema: string, always: boolean, strictGroups: boolean): StoredRule[];
  getTargetValidatorConstraints(constraint: object): RuleConstraint[];
}

/** What `@Type()` stores. */
export interface StoredType {
  readonly propertyName?: string;
  readonly typeFunction?: () => unknown;
  readonly options?: { readonly discriminator?: unknown };
}

/** What `@Expose()`, `@Exclude()` and `@Transform()` store. */
export interface StoredConversion {
  readonly propertyName?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

type ByMember<Entry> = ReadonlyMap<object, ReadonlyMap<string, Entry>>;

/** What class-transformer's decorators stored, by class and member; a class-level entry has no member name. */
export interface ConversionStorage {
  readonly types?: ByMember<StoredType>;
  readonly transforms?: ByMember<readonly StoredConversion[]>;
  readonly exposes?: ReadonlyMap<object, ReadonlyMap<string | undefined, StoredConversion>>;
  readonly excludes?: ReadonlyMap<object, ReadonlyMap<string | undefined, StoredConversion>>;
}

export interface RuleSources {
  readonly rules: RuleStorage;
  readonly conversions: ConversionStorage;
  /** Whether a rule is class-validator's own, and not one of the author with the same name. */
  isGenuine(constraint: RuleConstraint): boolean;
}

/** Loads class-validator, and class-transformer where it is installed, when the first DTO class appears. */
export async function loadRuleSources(): Promise<RuleSources> {
  const library = await loadLibrary();
  const rules = library.getMetadataStorage();
  const messages = readMessages(library, rules);
  return {
    rules,
    conversions: await loadConversions(),
    isGenuine: (constraint) => messages.get(constraint.name) === defaultMessage(constraint),
  };
}

type Library = { getMetadataStorage(): RuleStorage } & Readonly<Record<string, unknown>>;
type Loaded<T> = T & { readonly default?: T };

async function loadLibrary(): Promise<Library> {
  try {
    const loaded = (await import('class-validator')) as unknown as Loaded<Library>;
    return typeof loaded.getMetadataStorage === 'function' ? loaded : (loaded.default ?? loaded);
  } catch (cause) {
    throw new UnsupportedSchemaError(
      'a DTO class needs class-validator, which could not be loaded. Run `npm install class-validator class-transformer`, or pass a Standard Schema or a JSON Schema.',
      { cause },
    );
  }
}

/** Its decorators can only have been used where it is installed. */
async function loadConversions(): Promise<ConversionStorage> {
  try {
    // @ts-expect-error the storage has no types at this path, and the package root does not export it
    const loaded = (await import('class-transformer/cjs/storage.js')) as Loaded<{
      defaultMetadataStorage?: Readonly<Record<string, unknown>>;
    }>;
    const storage = loaded.defaultMetadataStorage ?? loaded.default?.defaultMetadataStorage ?? {};
    return {
      types: storage['_typeMetadatas'],
      transforms: storage['_transformMetadatas'],
      exposes: storage['_exposeMetadatas'],
      excludes: storage['_excludeMetadatas'],
    } as ConversionStorage;
  } catch {
    return {};
  }
}

/** Decorators whose rules are expressed in full, and therefore not run. */
const EXPRESSED =
  `IsString IsBoolean IsInt IsNumber IsArray IsObject IsNotEmptyObject IsEmpty Min Max IsPositive IsNegative IsDivisibleBy
  MinLength MaxLength Length Matches Contains NotContains IsIn IsNotIn IsEnum Equals NotEquals ArrayNotEmpty ArrayMinSize
  ArrayMaxSize ArrayUnique ArrayContains ArrayNotContains`.split(/\s+/);

/** Default texts of the built-in rules: the code behind a rule is out of reach, its text is not. */
function readMessages(library: Library, rules: RuleStorage): Map<string, string | undefined> {
  class Probe {}
  for (const name of EXPRESSED) {
    const decorator = library[name] as ((argument: object) => (target: object, member: string) => void) | undefined;
    decorator?.({})(Probe.prototype, name);
  }
  const constraints = rules
    .getTargetValidationMetadatas(Probe, '', false, false)
    .flatMap(({ constraintCls }) =>
      constraintCls === undefined ? [] : rules.getTargetValidatorConstraints(constraintCls),
    );
  for (const table of Object.values(rules)) if (table instanceof Map) table.delete(Probe);
  return new Map(constraints.map((constraint) => [constraint.name, defaultMessage(constraint)]));
}

function defaultMessage({ instance }: RuleConstraint): string | undefined {
  try {
    const args = { targetName: '', property: '', object: {}, value: '', constraints: [] };
    return instance.defaultMessage?.(args).replace(/^each value in /, '');
  } catch {
    return undefined;
  }
}
