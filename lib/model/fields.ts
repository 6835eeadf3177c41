/** An object of JSON, or one that may become it. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object that is not an array and not `null`. */
export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
