import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import { ConversionCopies, type Conversions } from './class-transformer.copies.js';
import { LoadedExports } from './loaded-exports.js';

/** One rule as class-validator stores it. */
export interface StoredRule {
  /** The class that declares the member. */
  readonly target?: unknown;
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

/** The arguments that class-validator passes to a rule. */
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

/** The part of class-validator's storage that this library reads. */
export interface RuleStorage {
  getTargetValidationMetadatas(type: object, schema: string, always: boolean, strictGroups: boolean): StoredRule[];
  getTargetValidatorConstraints(constraint: object): RuleConstraint[];
}

export interface RuleSources {
  readonly rules: RuleStorage;
  /** What the decorators of class-transformer stored, in all its copies. */
  conversions(): readonly Conversions[];
  /** Returns whether a rule is built into class-validator, and not a rule of the author with the same name. */
  isGenuine(constraint: RuleConstraint): boolean;
  /** Why decorators of class-transformer may be missing for the classes that declare these rules. */
  findDoubt(rules: readonly StoredRule[]): string | undefined;
}

/** Loads class-validator, and class-transformer where it is installed, when the first DTO class appears. */
export async function loadRuleSources(): Promise<RuleSources> {
  const library = await loadLibrary();
  const rules = library.getMetadataStorage();
  const probe = probeRules(library, rules);
  const copies = await ConversionCopies.find();
  const ruleClasses = new LoadedExports(/[\\/]ValidationMetadata\.[cm]?js$/, 'ValidationMetadata', isFunction);
  // All copies of class-validator share one storage, but each copy has its own class of rules.
  const isStrange = (rule: StoredRule): boolean =>
    rule.constructor !== probe.ruleClass && !ruleClasses.list().includes(rule.constructor);
  return {
    rules,
    conversions: () => copies.list(),
    isGenuine: (constraint) => probe.messages.get(constraint.name) === defaultMessage(constraint),
    findDoubt: (stored) => {
      const open = new Set(stored.map(({ target }) => target));
      for (const target of open) if (copies.hasDecorated(target)) open.delete(target);
      if (open.size === 0) return undefined;
      return stored.some((rule) => open.has(rule.target) && isStrange(rule)) ? STRANGE_RULES : copies.doubt;
    },
  };
}

const STRANGE_RULES = 'its rules are those of a copy of class-validator that nestjs-mcp does not load';

const isFunction = (value: unknown): value is unknown => typeof value === 'function';

type Library = { getMetadataStorage(): RuleStorage } & Readonly<Record<string, unknown>>;
type Loaded<T> = T & { readonly default?: T };

async function loadLibrary(): Promise<Library> {
  try {
    const loaded = (await import('class-validator')) as unknown as Loaded<Library>;
    return typeof loaded.getMetadataStorage === 'function' ? loaded : (loaded.default ?? loaded);
  } catch (cause) {
    const [reason] = String(cause instanceof Error ? cause.message : cause).split('\n');
    throw new UnsupportedSchemaError(
      isValidatorInUse()
        ? `the app uses class-validator, but nestjs-mcp could not load it (${reason}). Bundle class-validator together with nestjs-mcp, and let no plugin of the bundler leave it out, or leave both out of the bundle.`
        : `a DTO class needs class-validator, which could not be loaded (${reason}). Run \`npm install class-validator class-transformer\`, or pass a Standard Schema or a JSON Schema.`,
      { cause },
    );
  }
}

/** All copies of class-validator keep their rules in the same global variable. */
function isValidatorInUse(): boolean {
  return (
    (globalThis as { readonly classValidatorMetadataStorage?: unknown }).classValidatorMetadataStorage !== undefined
  );
}

/** Decorators whose rules the schema expresses completely, so that they do not run. */
const EXPRESSED =
  `IsString IsBoolean IsInt IsNumber IsArray IsObject IsNotEmptyObject IsEmpty Min Max IsPositive IsNegative IsDivisibleBy
  MinLength MaxLength Length Matches Contains NotContains IsIn IsNotIn IsEnum Equals NotEquals ArrayNotEmpty ArrayMinSize
  ArrayMaxSize ArrayUnique ArrayContains ArrayNotContains`.split(/\s+/);

interface RuleProbe {
  /** Default texts of the built-in rules: their code is not accessible, but their text is. */
  readonly messages: ReadonlyMap<string, string | undefined>;
  /** Class of the rules that the loaded copy stores. */
  readonly ruleClass: unknown;
}

function probeRules(library: Library, rules: RuleStorage): RuleProbe {
  class Probe {}
  for (const name of EXPRESSED) {
    const decorator = library[name] as ((argument: object) => (target: object, member: string) => void) | undefined;
    decorator?.({})(Probe.prototype, name);
  }
  const stored = rules.getTargetValidationMetadatas(Probe, '', false, false);
  const constraints = stored.flatMap(({ constraintCls }) =>
    constraintCls === undefined ? [] : rules.getTargetValidatorConstraints(constraintCls),
  );
  for (const table of Object.values(rules)) if (table instanceof Map) table.delete(Probe);
  return {
    messages: new Map(constraints.map((constraint) => [constraint.name, defaultMessage(constraint)])),
    ruleClass: stored[0]?.constructor,
  };
}

function defaultMessage({ instance }: RuleConstraint): string | undefined {
  try {
    const args = { targetName: '', property: '', object: {}, value: '', constraints: [] };
    return instance.defaultMessage?.(args).replace(/^each value in /, '');
  } catch {
    return undefined;
  }
}
