import { Injectable } from '@nestjs/common';

import { UnsupportedSchemaError } from '../errors/unsupported-schema.error.js';
import { isFields } from '../model/fields.js';
import { adaptClass } from './class/class.adapter.js';
import { loadRuleSources, type RuleSources } from './class/class-validator.loader.js';
import type { ComponentSchema, SchemaDirection } from './component-schema.js';
import { adaptJsonSchema } from './json-schema/json-schema.adapter.js';
import { JsonSchemaCompiler } from './json-schema/json-schema.compiler.js';
import { requireObjectRoot } from './json-schema/object-root.js';
import type { DtoClass, SchemaSource } from './schema-source.js';
import { adaptStandardSchema, isStandardSchema } from './standard/standard-schema.adapter.js';
import { limitIssues, MAX_ISSUES, toIssue } from './schema-issues.js';

/** Chooses the adapter for a schema that an author passed. */
@Injectable()
export class SchemaResolver {
  /** Both load on first use: an application without schemas or without DTO classes does not need the package. */
  private compiler: Promise<JsonSchemaCompiler> | undefined;
  private rules: Promise<RuleSources> | undefined;

  /**
   * Returns what to advertise for a schema, and the check that enforces it.
   *
   * @throws UnsupportedSchemaError for a schema that cannot be represented; the caller adds class and method.
   */
  async resolve(source: unknown, direction: SchemaDirection): Promise<ComponentSchema> {
    if (source === NO_ARGUMENTS) return noArguments;
    this.compiler ??= JsonSchemaCompiler.create();
    const schema = await this.adapt(source, direction, await this.compiler);
    if (direction === 'input') requireObjectRoot(schema.json);
    return schema;
  }

  private async adapt(
    source: unknown,
    direction: SchemaDirection,
    compiler: JsonSchemaCompiler,
  ): Promise<ComponentSchema> {
    if (isStandardSchema(source)) return adaptStandardSchema(source, direction, compiler);
    if (isClass(source)) {
      this.rules ??= loadRuleSources();
      return adaptClass(source, direction, compiler, await this.rules);
    }
    if (isPlainObject(source)) return adaptJsonSchema(source, direction, compiler);
    throw new UnsupportedSchemaError(
      'it is neither a DTO class, nor a Standard Schema (Zod 4, Valibot with `toStandardJsonSchema()`, ArkType), nor a JSON Schema object. Pass one of these.',
    );
  }
}

/** Returns whether a value can be passed as a schema; it may still turn out not to be representable. */
export function isSchemaSource(value: unknown): value is SchemaSource {
  return isStandardSchema(value) || isClass(value) || isPlainObject(value);
}

function isClass(value: unknown): value is DtoClass {
  return typeof value === 'function' && isFields(value.prototype) && value.prototype['constructor'] === value;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isFields(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The schema that a component without parameters advertises. */
export const NO_ARGUMENTS = Object.freeze({ type: 'object', additionalProperties: false });

const BREACH = { keyword: 'additionalProperties', instancePath: '', schemaPath: '' };

/** Its check is written by hand, so that an application that needs no other schema loads no schema library. */
export const noArguments: ComponentSchema = Object.freeze({
  json: NO_ARGUMENTS,
  validate: (value: unknown) => {
    if (!isFields(value)) {
      return { ok: false, issues: [{ path: '', message: 'must be object' }] };
    }
    const strange = Object.keys(value)
      .slice(0, MAX_ISSUES)
      .map((key) => toIssue({ ...BREACH, params: { additionalProperty: key } }, value));
    return strange.length === 0 ? { ok: true, value } : { ok: false, issues: limitIssues(strange) };
  },
} satisfies ComponentSchema);
