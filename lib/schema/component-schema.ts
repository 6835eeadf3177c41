import type { JsonSchema } from '../model/json-schema.js';

/** One thing that is wrong with a value: where, and which rule. Never the value itself. */
export interface SchemaIssue {
  /** Place inside the value, such as `lines[0].sku`; empty for the value as a whole. */
  readonly path: string;
  readonly message: string;
}

export type SchemaVerdict =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** What a component advertises for a value, and the check that enforces exactly that. */
export interface ComponentSchema {
  /** The schema as clients see it. */
  readonly json: JsonSchema;
  /** Checks without conversion; the accepted value has defaults and transforms applied. */
  validate(value: unknown): SchemaVerdict | Promise<SchemaVerdict>;
}

/** Which side of a schema is asked for: what a caller sends, or what a handler returns. */
export type SchemaDirection = 'input' | 'output';
