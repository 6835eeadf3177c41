import type { JsonSchema } from '../model/json-schema.js';

/** One problem of a value: its place and the rule that it breaks. It never contains the value. */
export interface SchemaIssue {
  /** Place inside the value, such as `lines[0].sku`; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

export type SchemaVerdict =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** The schema that a component advertises for a value, and the check that enforces this schema. */
export interface ComponentSchema {
  /** The schema that clients receive. */
  readonly json: JsonSchema;
  /** Checks without conversion; the accepted value has defaults and transforms applied. */
  validate(value: unknown): SchemaVerdict | Promise<SchemaVerdict>;
}

/** The side of a schema: the input that a caller sends, or the output that a handler returns. */
export type SchemaDirection = 'input' | 'output';
