import type { CompleteOutcome, InputRequiredOutcome } from '../../model/outcome.js';
import type { ServerProfile } from '../../model/server-profile.js';
import { META } from './envelope.js';

/** Adds what every result of this revision carries: its type, the server's identity and, on lists and reads, the cache hint. */
export class ResultEncoder {
  /** Encodings of results that never change, such as the pages of a list. */
  private readonly kept = new WeakMap<object, string>();
  private readonly metaText: string;

  constructor(
    private readonly profile: ServerProfile,
    private readonly supportedVersions: readonly string[],
  ) {
    this.metaText = JSON.stringify({ [META.serverInfo]: profile.identity });
  }

  encode(outcome: CompleteOutcome): string {
    if (outcome.immutable !== true) return this.assemble(outcome);
    let text = this.kept.get(outcome.result);
    if (text === undefined) {
      text = this.assemble(outcome);
      this.kept.set(outcome.result, text);
    }
    return text;
  }

  encodeInputRequired({ inputRequests, requestState }: InputRequiredOutcome): string {
    return join(
      '"resultType":"input_required"',
      JSON.stringify({ inputRequests, requestState }),
      `"_meta":${this.metaText}`,
    );
  }

  private assemble({ result, cache }: CompleteOutcome): string {
    const { _meta: own, ...rest } = result;
    const meta =
      own === undefined
        ? this.metaText
        : JSON.stringify({ ...(own as object), [META.serverInfo]: this.profile.identity });
    const versions = cache === 'discover' ? { supportedVersions: this.supportedVersions } : {};
    return join(
      '"resultType":"complete"',
      JSON.stringify({ ...versions, ...rest, ...this.hint(cache) }),
      `"_meta":${meta}`,
    );
  }

  private hint(cache: CompleteOutcome['cache']): object {
    if (cache === undefined) return {};
    const { ttlMs, scope } = this.profile.cacheHint(cache);
    return { ttlMs, cacheScope: scope };
  }
}

/** Puts text parts of one object together, so that large results are written once. */
function join(first: string, object: string, last: string): string {
  return object === '{}' ? `{${first},${last}}` : `{${first},${object.slice(1, -1)},${last}}`;
}
