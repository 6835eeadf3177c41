import { isFields } from '../model/fields.js';
import type { JsonSchema } from '../model/json-schema.js';
import type { ComponentSchema, SchemaIssue, SchemaVerdict } from '../schema/component-schema.js';
import { writePath, readPointer } from '../schema/schema-issues.js';
import { InvalidQuestionError } from '../errors/invalid-question.error.js';
import { UnsupportedSchemaError } from '../errors/unsupported-schema.error.js';
import { verdictOf } from '../schema/json-schema/json-schema.adapter.js';
import { JsonSchemaCompiler } from '../schema/json-schema/json-schema.compiler.js';
import { checkLimits } from '../schema/json-schema/json-schema.limits.js';
import { freezeJson, NotJsonError, toJsonValue } from '../schema/json-value.js';
import type { SchemaResolver } from '../schema/schema.resolver.js';
import type { SchemaSource } from '../schema/schema-source.js';
import { isStandardSchema } from '../schema/standard/standard-schema.adapter.js';
import { checkForm, refuseProperty } from './form.check.js';
import { reduceToForm } from './form.reducer.js';

/** Whether the author's schema accepts the content of a form; if not, which of its properties are invalid. */
export type FormVerdict =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fields: readonly string[] };

/** The form that a client shows, and the schema that validates the answer. */
export class CompiledForm {
  private readonly names: readonly string[];
  private readonly required: readonly string[];

  constructor(
    readonly json: JsonSchema,
    private readonly enforced: Pick<ComponentSchema, 'validate'>,
  ) {
    this.names = isFields(json['properties']) ? Object.keys(json['properties']) : [];
    this.required = Array.isArray(json['required']) ? (json['required'] as string[]) : [];
  }

  judge(content: Readonly<Record<string, unknown>>): FormVerdict | Promise<FormVerdict> {
    const conclude = (verdict: SchemaVerdict): FormVerdict =>
      verdict.ok ? verdict : { ok: false, fields: this.faultyFields(content, verdict.issues) };
    const verdict = this.enforced.validate(content);
    return verdict instanceof Promise ? verdict.then(conclude) : conclude(verdict);
  }

  /** Returns only names of the author's properties, since other parts of an issue may repeat submitted values. */
  private faultyFields(content: Readonly<Record<string, unknown>>, issues: readonly SchemaIssue[]): string[] {
    return this.names.filter((name) => {
      if (this.required.includes(name) && !Object.hasOwn(content, name)) return true;
      const path = writePath([name]);
      return issues.some((issue) => issue.path === path || /^[.[]/.test(cutStart(issue.path, path)));
    });
  }
}

function cutStart(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : '';
}

/** Compiles schemas to forms, each schema once, since handlers ask with the same schema on every call. */
export class FormCompiler {
  private readonly forms = new WeakMap<object, Promise<CompiledForm>>();
  private compiler: Promise<JsonSchemaCompiler> | undefined;

  constructor(private readonly resolver: SchemaResolver) {}

  /** @throws InvalidQuestionError for an invalid form; the error is cached too. */
  compile(source: SchemaSource): Promise<CompiledForm> {
    let form = this.forms.get(source);
    if (form === undefined) {
      form = isWrittenAsForm(source) ? this.adopt(source) : this.derive(source);
      this.forms.set(source, form);
    }
    return form;
  }

  /** Derives a form from a class or a library's schema, which validates the answers. */
  private async derive(source: SchemaSource): Promise<CompiledForm> {
    const schema = await this.resolver.resolve(source, 'input').catch(rethrow);
    const form = freezeJson(reduceToForm(schema.json));
    await this.checkWhole(form);
    return new CompiledForm(form, schema);
  }

  /** Uses a form as it was written, but does not send `additionalProperties: false`, which only the check of the answer uses. */
  private async adopt(source: SchemaSource): Promise<CompiledForm> {
    const written = freezeJson(copyForm(source));
    const { additionalProperties, ...form } = written;
    if (additionalProperties !== undefined && additionalProperties !== false) {
      throw new InvalidQuestionError('The form', '`additionalProperties` can only be false. Leave it out.');
    }
    await this.checkWhole(form);
    const check = (await this.compilerOnce()).compile(written, { trusted: true });
    return new CompiledForm(freezeJson(form), { validate: (content) => verdictOf(check, content) });
  }

  private async checkWhole(form: JsonSchema): Promise<void> {
    checkForm(form);
    const properties = Object.entries(form['properties'] as Record<string, JsonSchema>);
    const defaults = properties.filter(([, property]) => Object.hasOwn(property, 'default'));
    if (defaults.length === 0) return;
    const filled = Object.fromEntries(defaults.map(([name, property]) => [name, property['default']]));
    const check = (await this.compilerOnce()).compile(
      { type: 'object', properties: Object.fromEntries(defaults) },
      { trusted: true },
    );
    const [breach] = check(filled).errors;
    if (breach === undefined) return;
    const [name = ''] = readPointer(breach.instancePath, filled);
    refuseProperty(String(name), 'default', `breaks the property's own "${breach.keyword}". Correct one of them.`);
  }

  private compilerOnce(): Promise<JsonSchemaCompiler> {
    this.compiler ??= JsonSchemaCompiler.create();
    return this.compiler;
  }
}

function isWrittenAsForm(source: SchemaSource): boolean {
  return typeof source !== 'function' && !isStandardSchema(source);
}

function copyForm(source: SchemaSource): JsonSchema {
  try {
    const copy = toJsonValue(source);
    if (!isFields(copy)) throw new NotJsonError([], 'must be an object');
    checkLimits(copy);
    return copy;
  } catch (error) {
    if (error instanceof NotJsonError) {
      throw new InvalidQuestionError('The form', `it ${error.message}. Write it as plain JSON.`, { cause: error });
    }
    return rethrow(error);
  }
}

/** Converts the error of a schema that cannot be resolved to an `InvalidQuestionError`. */
function rethrow(error: unknown): never {
  if (!(error instanceof UnsupportedSchemaError)) throw error;
  throw new InvalidQuestionError('The form', error.reason, { cause: error });
}
