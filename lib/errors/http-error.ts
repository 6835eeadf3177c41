/** The used part of an `HttpException`; recognised by shape, since apps may contain several copies of Nest. */
export interface HttpError {
  getStatus(): number;
  getResponse(): unknown;
}

/** May throw, since the error can have getters that throw or be a proxy. */
export function isHttpError(error: unknown): error is HttpError {
  const candidate = error as Partial<HttpError> | null | undefined;
  return typeof candidate?.getStatus === 'function' && typeof candidate.getResponse === 'function';
}

/** The message that Nest would send; `undefined` if the error has no message. */
export function wordsOf(error: HttpError): string | undefined {
  const response = error.getResponse();
  const message =
    typeof response === 'object' && response !== null ? (response as { message?: unknown }).message : response;
  if (Array.isArray(message)) return message.filter((line) => typeof line === 'string').join('; ');
  return typeof message === 'string' ? message : undefined;
}
