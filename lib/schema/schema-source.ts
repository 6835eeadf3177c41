import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonSchema } from '../model/json-schema.js';

/**
 * A class whose members carry class-validator rules.
 *
 * @publicApi
 */
export type DtoClass<T extends object = object> = new () => T;

/**
 * A schema of a library that implements Standard Schema and Standard JSON Schema, such as Zod 4 or ArkType.
 *
 * @publicApi
 */
export type StandardSource<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output> &
  StandardJSONSchemaV1<Input, Output>;

/**
 * What authors may pass as a schema: a DTO class, a Standard Schema, or a JSON Schema 2020-12.
 *
 * @publicApi
 */
export type SchemaSource = DtoClass | StandardSource<never, unknown> | StandardSource | JsonSchema;

/**
 * What a handler receives for a schema: validated, with defaults and transforms applied.
 *
 * @publicApi
 */
export type ToolArgs<S> =
  S extends StandardSchemaV1<infer _Input, infer Output>
    ? Output
    : S extends abstract new (...args: never[]) => infer Instance
      ? Instance
      : Record<string, unknown>;
