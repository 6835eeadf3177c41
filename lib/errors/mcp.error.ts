/**
 * Base class of all errors of this library; `code` is stable.
 *
 * @publicApi
 */
export class McpError extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}
