/**
 * A directory or file that the client lets servers work on.
 *
 * @publicApi
 */
export interface Root {
  readonly uri: `file://${string}`;
  readonly name?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}
