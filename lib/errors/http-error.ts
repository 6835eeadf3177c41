/** The part of an `HttpException` that counts; told by shape, since apps may hold several copies of Nest. */
export interface HttpError {
  getStatus(): number;
  getResponse(): unknown;
}

/** May throw where the error does, as its getters and proxies can. */
export function isHttpError(error: unknown): error is HttpError {
  const candidate = error as Partial<HttpError> | null | undefined;
  return typeof candidate?.getStatus === 'function' && typeof candidate.getResponse === 'function';
}

/** The message that Nest would send; `undefined` where there is none. */
export function wordsOf(error: HttpError): string | undefined {
  const response = error.getResponse();
  const message =
    typeof response === 'object' && response !== null ? (response as { message?: unknown }).message : response;
  if (Array.isArray(message)) return message.filter((line) => typeof line === 'string').join('; ');
  return typeof message === 'string' ? message : undefined;
}
