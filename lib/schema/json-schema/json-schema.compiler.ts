import type { Ajv2020 as Ajv, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import { isFields } from '../../model/fields.js';
import type { JsonSchema } from '../../model/json-schema.js';
import { toJsonValue } from '../json-value.js';
import { isCertainToCompile } from './json-schema.certainty.js';
import { createPattern, replaceKeywords } from './json-schema.keywords.js';
import { listSubschemas } from './json-schema.walker.js';
import {
  addWorkKeyword,
  type CodeWriter,
  limitWork,
  markWork,
  SCHEMA_WORK,
  WORK_KEYWORD,
  WorkCounter,
  WorkError,
  type WorkLimit,
} from './json-schema.work.js';

/** What a check found in a value. */
export interface Findings {
  /** Breaches of the schema; empty when the value is valid. */
  readonly errors: readonly ErrorObject[];
  /** Whether the list is complete; in a large value the search stops at the first breach. */
  readonly complete: boolean;
}

export type SchemaCheck = (value: unknown) => Findings;

/** Whether a format is checked, or only shown, at this place of a schema. */
export type FormatFilter = (schema: JsonSchema) => boolean;

/** All breaches are listed for values up to this many nodes; only the first for larger ones, as each takes memory. */
const MAX_EXPLAINED_NODES = 2_000;
/** Unions multiply breaches, so a small value may have many. */
const EXPLAINED_WORK = { maxValues: 5_000 };

/** Keywords that ajv acts on although 2020-12 does not define them, and `$schema`, which was checked before. */
const IGNORED_KEYWORDS = ['nullable', '$async', 'id', '$schema', WORK_KEYWORD];

const TOO_DEEP = {
  keyword: 'depth',
  instancePath: '',
  schemaPath: '',
  params: {},
  message: 'must not be nested this deeply',
};

/** How a schema is compiled. */
export interface CompileOptions {
  /** Where formats are checked; everywhere by default. */
  readonly checksFormat?: FormatFilter;
  /** Made by this library or a schema library, so the check against the meta-schema (90 ms in ajv) is not needed. */
  readonly trusted?: boolean;
  /** How much of a value is visited; by default everything that the schema alone can need. */
  readonly work?: WorkLimit;
}

const NOTHING_FOUND: Findings = Object.freeze({ errors: [], complete: true });

/** Compiles JSON Schemas to checks. One per application: ajv is loaded on creation; compiled schemas are not kept. */
export class JsonSchemaCompiler {
  static async create(): Promise<JsonSchemaCompiler> {
    const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
    // The class is the module itself: a test runner that loads packages as its own files shows only that.
    const writer = Ajv2020 as typeof Ajv2020 & CodeWriter;
    const addFormats = pluginOf(formats);
    return new JsonSchemaCompiler((options, counter) => {
      const ajv = new Ajv2020({ ...BASE_OPTIONS, ...options });
      addFormats(ajv);
      replaceKeywords(ajv, writer);
      addWorkKeyword(ajv, writer, counter);
      return ajv;
    });
  }

  private readonly instances = new Map<keyof typeof INSTANCES, ForgetfulAjv>();

  private constructor(private readonly build: (options: Options, counter: WorkCounter) => Ajv) {}

  /**
   * A gate stops at the first breach; the explainer runs only after the gate refused a small value.
   *
   * @throws UnsupportedSchemaError here and never later: only schemas that certainly compile wait for a value.
   */
  compile(
    json: JsonSchema,
    { checksFormat = () => true, trusted = false, work = SCHEMA_WORK }: CompileOptions = {},
  ): SchemaCheck {
    const schema = toGateSchema(json, checksFormat);
    const isCertain = isCertainToCompile(schema);
    const limit = limitWork(schema, work);
    markWork(schema, limit);
    const gate = this.instance(limit.thorough ? 'explainer' : trusted || isCertain ? 'trustingGate' : 'gate');
    // Two milliseconds a schema, which a start need not spend on components that may never be called.
    let accepts = isCertain ? undefined : gate.compile(schema);
    let explains: ValidateFunction | undefined;
    return (value) => {
      accepts ??= gate.compile(schema);
      const first = gate.run(accepts, value, limit);
      if (first.length === 0) return NOTHING_FOUND;
      if (!isSmall(value)) return { errors: first, complete: false };
      const explainer = this.instance('explainer');
      explains ??= explainer.compile(schema);
      const all = explainer.run(explains, value, EXPLAINED_WORK);
      const complete = all[0]?.keyword !== WORK_KEYWORD;
      return { errors: complete && all.length > 0 ? all : first, complete };
    };
  }

  private instance(name: keyof typeof INSTANCES): ForgetfulAjv {
    let instance = this.instances.get(name);
    if (instance === undefined) {
      const counter = new WorkCounter();
      instance = new ForgetfulAjv(this.build(INSTANCES[name], counter), counter);
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

/** Compiles without keeping the schema, so that the instance stays small and two components may share an `$id`. */
class ForgetfulAjv {
  private readonly builtIn: ReadonlySet<string>;

  constructor(
    private readonly ajv: Ajv,
    private readonly counter: WorkCounter,
  ) {
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

  run(check: ValidateFunction, value: unknown, work: Pick<WorkLimit, 'maxValues'>): readonly ErrorObject[] {
    this.counter.start(work);
    try {
      if (check(value)) return [];
      return check.errors ?? [];
    } catch (error) {
      if (error instanceof WorkError) return [error.toBreach()];
      if (error instanceof RangeError) return [TOO_DEEP];
      throw error;
    } finally {
      check.errors = null;
    }
  }
}

const BASE_OPTIONS: Options = {
  strict: false,
  logger: false,
  // Without it, `toString` and `constructor` count as present in every object.
  ownProperties: true,
  // Optimizing the code takes a fifth of a compile, and the code is not faster for it.
  code: { optimize: false, regExp: Object.assign(createPattern, { code: 'createPattern' }) },
};

function pluginOf(namespace: { readonly default: unknown }): FormatsPlugin {
  const { default: plugin } = namespace;
  return (isFields(plugin) ? plugin['default'] : plugin) as FormatsPlugin;
}

function toGateSchema(json: JsonSchema, checksFormat: FormatFilter): Record<string, unknown> {
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

function isSmall(value: unknown): boolean {
  const open: unknown[] = [value];
  let seen = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    // For an object with very many members, reading the values takes longer than reading the names.
    seen += Array.isArray(next) ? next.length : Object.keys(next).length;
    if (seen > MAX_EXPLAINED_NODES) return false;
    open.push(...(Object.values(next) as unknown[]));
  }
  return true;
}
