/** A JSON Schema 2020-12 document, as advertised to clients. */
export type JsonSchema = { readonly [keyword: string]: unknown };
