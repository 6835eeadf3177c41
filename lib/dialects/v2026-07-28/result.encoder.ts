import type { Fields } from '../../model/fields.js';
import type { CompleteOutcome, InputRequiredOutcome } from '../../model/outcome.js';
import type { ServerProfile } from '../../model/server-profile.js';
import { encodeId, encodeResponse, encodeResult } from '../../wire/json-rpc.encoder.js';
import type { RequestId } from '../../wire/json-rpc.js';
import { META } from './envelope.js';

/** Adds what every result of this revision carries: its type, the server's identity and, on lists and reads, the cache hint. */
export class ResultEncoder {
  /** Encodings of results that never change, such as the pages of a list. */
  private readonly kept = new WeakMap<object, string>();
  private readonly meta: Fields;

  constructor(
    private readonly profile: ServerProfile,
    private readonly supportedVersions: readonly string[],
  ) {
    this.meta = Object.freeze({ [META.serverInfo]: profile.identity });
  }

  encode(outcome: CompleteOutcome, id: RequestId): string {
    if (outcome.immutable !== true) return encodeResponse(id, this.complete(outcome));
    let text = this.kept.get(outcome.result);
    if (text === undefined) {
      text = JSON.stringify(this.complete(outcome));
      this.kept.set(outcome.result, text);
    }
    return encodeResult(id, text);
  }

  encodeInputRequired({ inputRequests, requestState }: InputRequiredOutcome, id: RequestId): string {
    return encodeResponse(id, { resultType: 'input_required', inputRequests, requestState, _meta: this.meta });
  }

  /** The last word of a subscription. */
  encodeUnsubscribed(id: RequestId): string {
    const mark = `"${META.subscriptionId}":${encodeId(id)}`;
    const meta = `{${mark},${JSON.stringify(this.meta).slice(1)}`;
    return encodeResult(id, `{"resultType":"complete","_meta":${meta}}`);
  }

  private complete({ result, cache }: CompleteOutcome): Fields {
    const own = result['_meta'] as Fields | undefined;
    const meta = own === undefined ? this.meta : { ...own, ...this.meta };
    if (cache === undefined) return { resultType: 'complete', ...result, _meta: meta };
    const { ttlMs, scope } = this.profile.cacheHint(cache);
    const versions = cache === 'discover' ? { supportedVersions: this.supportedVersions } : {};
    return { resultType: 'complete', ...versions, ...result, ttlMs, cacheScope: scope, _meta: meta };
  }
}
