/**
 * Notifies subscribed clients of changes on a server. Inject it where something changes.
 *
 * Equal notices of one tick are published once. Each promise resolves when the change bus has accepted the notice, and
 * rejects if it could not. Failures are logged as well, so awaiting the promise is optional.
 *
 * @publicApi
 */
export abstract class McpNotifier {
  /** Announces that the list of tools has changed. */
  abstract toolsChanged(): Promise<void>;
  /** Announces that the list of prompts has changed. */
  abstract promptsChanged(): Promise<void>;
  /** Announces that the list of resources or of resource templates has changed. */
  abstract resourcesChanged(): Promise<void>;
  /**
   * Announces that the content of one resource has changed.
   *
   * @throws TypeError if `uri` is not an absolute URI.
   */
  abstract resourceUpdated(uri: string): Promise<void>;
}
