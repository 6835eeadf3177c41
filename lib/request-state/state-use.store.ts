/**
 * Remembers which tokens were used. Provide one of your own where several instances of the app open one another's
 * tokens.
 */
export abstract class StateUseStore {
  /**
   * True for the first claim of an id, false for every one after it; of claims at the same time one is the first.
   *
   * @param id of the token, 16 characters of base64url.
   * @param expiresAtMs when the token expires, in milliseconds since 1970; the id may be forgotten from then on.
   */
  abstract claim(id: string, expiresAtMs: number): Promise<boolean>;
}
