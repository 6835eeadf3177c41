/**
 * Stores which tokens were used. Implement a shared store if several instances of the app open each other's tokens.
 */
export abstract class StateUseStore {
  /**
   * Resolves to `true` for the first claim of an id, and to `false` for all later ones. Of concurrent claims exactly one
   * must be the first.
   *
   * @param id Id of the token, 16 characters of base64url.
   * @param expiresAtMs Expiry of the token, in milliseconds since 1970; the id may be deleted from then on.
   */
  abstract claim(id: string, expiresAtMs: number): Promise<boolean>;
}
