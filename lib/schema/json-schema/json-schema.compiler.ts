import type { Ajv2020 as Ajv, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import { isFields } from '../../model/fields.js';
import type { JsonSchema } from '../../model/json-schema.js';
import { toJsonValue } from '../json-value.js';
import { listSubschemas } from './json-schema.walker.js';
import { hasUniqueItems } from '../keywords/canonical-json.js';
import { isMultipleOf } from '../keywords/exact-decimal.js';

/** Breaches of a schema; empty when the value is valid. */
export type SchemaCheck = (value: unknown) => readonly ErrorObject[];

/** Whether a format is checked, or only shown, at this place of a schema. */
export type FormatFilter = (schema: JsonSchema) => boolean;

/** Values up to this many nodes get all their breaches listed; bigger ones the first, as each breach costs memory. */
const MAX_EXPLAINED_NODES = 2_000;

/** Keywords that ajv acts on although 2020-12 does not know them, and `$schema`, which has been checked before. */
const IGNORED_KEYWORDS = ['nullable', '$async', 'id', '$schema'];

const TOO_DEEP = {
  keyword: 'depth',
  instancePath: '',
  schemaPath: '',
  params: {},
  message: 'must not be nested this deeply',
};

/** How a schema is compiled. */
export interface CompileOptions {
  /** Where formats are checked; everywhere unless said otherwise. */
  readonly checksFormat?: FormatFilter;
  /** Made by this library or a schema library, so it needs no check against the meta-schema (which takes ajv 90 ms). */
  readonly trusted?: boolean;
}

/** Turns JSON Schemas into checks. One per application: ajv is loaded on creation, and nothing is kept after a compile. */
export class JsonSchemaCompiler {
  static async create(): Promise<JsonSchemaCompiler> {
    const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
    const addFormats = pluginOf(formats);
    return new JsonSchemaCompiler((options) => {
      const ajv = new Ajv2020({ ...BASE_OPTIONS, ...options });
      addFormats(ajv);
      replaceKeywords(ajv);
      return ajv;
    });
  }

  private readonly instances = new Map<keyof typeof INSTANCES, ForgetfulAjv>();

  private constructor(private readonly build: (options: Options) => Ajv) {}

  /** A gate stops at the first breach; the explainer runs only after it refused a small value. */
  compile(json: JsonSchema, { checksFormat = () => true, trusted = false }: CompileOptions = {}): SchemaCheck {
    const schema = toGateSchema(json, checksFormat);
    const accepts = this.instance(trusted ? 'trustingGate' : 'gate').compile(schema);
    let explains: ValidateFunction | undefined;
    return (value) => {
      const first = run(accepts, value);
      if (first.length === 0 || !isSmall(value)) return first;
      explains ??= this.instance('explainer').compile(schema);
      const all = run(explains, value);
      return all.length === 0 ? first : all;
    };
  }

  private instance(name: keyof typeof INSTANCES): ForgetfulAjv {
    let instance = this.instances.get(name);
    if (instance === undefined) {
      instance = new ForgetfulAjv(this.build(INSTANCES[name]));
      this.instances.set(name, instance);
    }
    return instance;
  }
}

const UNCHECKED: Options = { meta: false, validateSchema: false };

const INSTANCES = {
  gate: {},
  trustingGate: UNCHECKED,
  explainer: { ...UNCHECKED, allErrors: true },
} satisfies Record<string, Options>;

/** Compiles and forgets, so that the instance stays small and two components may share an `$id`. */
class ForgetfulAjv {
  private readonly builtIn: ReadonlySet<string>;

  constructor(private readonly ajv: Ajv) {
    this.builtIn = new Set([...Object.keys(ajv.refs), ...Object.keys(ajv.schemas)]);
  }

  compile(schema: JsonSchema): ValidateFunction {
    const { ajv } = this;
    try {
      return ajv.compile(schema);
    } catch (cause) {
      const detail = cause instanceof Error ? cause.message : String(cause);
      throw new UnsupportedSchemaError(`it is not a valid JSON Schema 2020-12 (${detail}). Correct the schema.`, {
        cause,
      });
    } finally {
      ajv.removeSchema(schema);
      for (const table of [ajv.refs, ajv.schemas]) {
        for (const key of Object.keys(table)) if (!this.builtIn.has(key)) delete table[key];
      }
    }
  }
}

const BASE_OPTIONS: Options = {
  strict: false,
  logger: false,
  // Without it, `toString` and `constructor` count as present in every object.
  ownProperties: true,
  code: { regExp: Object.assign(createPattern, { code: 'createPattern' }) },
};

/** Unicode mode as 2020-12 asks; patterns that only the older syntax allows still work. */
function createPattern(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}

function pluginOf(namespace: { readonly default: unknown }): FormatsPlugin {
  const { default: plugin } = namespace;
  return (isFields(plugin) ? plugin['default'] : plugin) as FormatsPlugin;
}

/** ajv's own versions compare pairs of items (quadratic), and divide in binary (19.99 / 0.01 is not whole). */
function replaceKeywords(ajv: Ajv): void {
  define(
    ajv,
    'uniqueItems',
    'array',
    'boolean',
    (wanted, items) => wanted !== true || hasUniqueItems(items as unknown[]),
  );
  define(ajv, 'multipleOf', 'number', 'number', (divisor, value) => isMultipleOf(value as number, divisor as number));
}

function define(
  ajv: Ajv,
  keyword: string,
  type: 'array' | 'number',
  schemaType: 'boolean' | 'number',
  isValid: (schema: unknown, value: unknown) => boolean,
): void {
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type,
    schemaType,
    errors: true,
    compile: (schema: unknown) => {
      const check: { (value: unknown): boolean; errors?: Partial<ErrorObject>[] } = (value) => {
        if (isValid(schema, value)) return true;
        check.errors = [{ keyword, params: { [keyword]: schema } }];
        return false;
      };
      return check;
    },
  });
}

function toGateSchema(json: JsonSchema, checksFormat: FormatFilter): JsonSchema {
  const copy = toJsonValue(json) as Record<string, unknown>;
  const clean = (schema: unknown): void => {
    if (!isFields(schema)) return;
    for (const keyword of IGNORED_KEYWORDS) delete schema[keyword];
    if (Object.hasOwn(schema, 'format') && !checksFormat(schema)) delete schema['format'];
    for (const child of listSubschemas(schema)) clean(child.schema);
  };
  clean(copy);
  return copy;
}

function run(check: ValidateFunction, value: unknown): readonly ErrorObject[] {
  try {
    if (check(value)) return [];
    return check.errors ?? [];
  } catch (error) {
    if (error instanceof RangeError) return [TOO_DEEP];
    throw error;
  } finally {
    check.errors = null;
  }
}

function isSmall(value: unknown): boolean {
  const open: unknown[] = [value];
  let seen = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const children: unknown[] = Array.isArray(next) ? next : Object.values(next);
    seen += children.length;
    if (seen > MAX_EXPLAINED_NODES) return false;
    open.push(...children);
  }
  return true;
}
