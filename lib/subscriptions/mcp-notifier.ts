/**
 * Tells listening clients what changed on a server. Inject it where things change.
 *
 * Equal notices of one tick go out once. Each promise resolves when the change bus has taken the notice, and rejects when
 * it could not. A failure is logged as well, so nobody has to await it.
 *
 * @publicApi
 */
export abstract class McpNotifier {
  /** The list of tools has changed. */
  abstract toolsChanged(): Promise<void>;
  /** The list of prompts has changed. */
  abstract promptsChanged(): Promise<void>;
  /** The list of resources, or of templates, has changed. */
  abstract resourcesChanged(): Promise<void>;
  /**
   * The content of one resource has changed.
   *
   * @throws TypeError when `uri` is no absolute URI.
   */
  abstract resourceUpdated(uri: string): Promise<void>;
}
