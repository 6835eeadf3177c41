/** A JSON object, or an object that will be encoded as JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object that is not an array and not `null`. */
export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
