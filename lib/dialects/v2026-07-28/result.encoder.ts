import { McpError } from '../../errors/mcp.error.js';
import type { OperationRequest } from '../../model/operation.js';
import type { Fields } from '../../model/fields.js';
import type { CacheSubject, CompleteOutcome, InputRequiredOutcome } from '../../model/outcome.js';
import type { ServerProfile } from '../../model/server-profile.js';
import { encodeId, encodeResponse, encodeResult } from '../../wire/json-rpc.codec.js';
import type { RequestId } from '../../wire/json-rpc.js';
import { META } from './envelope.js';

/** Maximum number of UTF-8 bytes of one UTF-16 unit. */
const MOST_BYTES_OF_UNIT = 3;
/** Maximum number of characters of a name or URI that an error quotes. */
const MAX_QUOTED = 128;

/** The result is larger than the server allows. */
export class ResultTooLargeError extends McpError {
  constructor(
    readonly bytes: number,
    readonly maxBytes: number,
    subject = 'A message',
  ) {
    super(
      'MCP_RESULT_TOO_LARGE',
      `${subject} is too large to be sent: it has ${bytes} bytes or more, and limits.maxResultBytes is ${maxBytes}. Return it in pages, or a link to a resource, or raise that limit.`,
    );
  }

  /** The same error, with the component of the request as its subject. */
  of(what: string, request: OperationRequest): ResultTooLargeError {
    return new ResultTooLargeError(this.bytes, this.maxBytes, `${what} of ${subjectOf(request)}`);
  }
}

/** The maximum size of a message. Most messages are so much smaller that their length alone is sufficient. */
export class MessageSize {
  constructor(readonly maxBytes: number) {}

  /** Before encoding: the message has at least this many characters. @throws ResultTooLargeError */
  expect(length: number): void {
    if (length > this.maxBytes) throw new ResultTooLargeError(length, this.maxBytes);
  }

  /** @throws ResultTooLargeError */
  check(json: string): string {
    if (json.length * MOST_BYTES_OF_UNIT <= this.maxBytes) return json;
    this.expect(json.length);
    this.expect(Buffer.byteLength(json));
    return json;
  }
}

function subjectOf({ operation }: OperationRequest): string {
  switch (operation.kind) {
    case 'call-tool':
      return `the tool ${quoted(operation.name)}`;
    case 'get-prompt':
      return `the prompt ${quoted(operation.name)}`;
    case 'read-resource':
      return `the resource ${quoted(operation.uri)}`;
    default:
      return `a request of the kind "${operation.kind}"`;
  }
}

function quoted(name: string): string {
  return `"${name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name}"`;
}

/** From this length on, joining a text to others takes longer than writing it with them. */
const LONG = 8_192;
const MANY = 64;

/** Adds what every result of this revision has: type, server identity and, for lists and reads, a cache hint. */
export class ResultEncoder {
  /** Encodings of results that never change, such as the pages of a list. */
  private readonly kept = new WeakMap<object, string>();
  private readonly meta: Fields;
  /** The members at the end of most results. */
  private readonly ending: string;

  constructor(
    private readonly profile: ServerProfile,
    private readonly supportedVersions: readonly string[],
    private readonly size: Pick<MessageSize, 'expect'>,
  ) {
    this.meta = Object.freeze({ [META.serverInfo]: profile.identity });
    this.ending = endOf({ _meta: this.meta });
  }

  encode(outcome: CompleteOutcome, id: RequestId): string {
    if (outcome.immutable !== true) return this.encodeOnce(outcome, id);
    let text = this.kept.get(outcome.result);
    if (text === undefined) {
      text = this.write(outcome);
      this.kept.set(outcome.result, text);
    }
    return encodeResult(id, text);
  }

  encodeInputRequired({ inputRequests, requestState }: InputRequiredOutcome, id: RequestId): string {
    return encodeResponse(id, { resultType: 'input_required', inputRequests, requestState, _meta: this.meta });
  }

  /** The final message of a subscription. */
  encodeUnsubscribed(id: RequestId): string {
    const mark = `"${META.subscriptionId}":${encodeId(id)}`;
    const meta = `{${mark},${JSON.stringify(this.meta).slice(1)}`;
    return encodeResult(id, `{"resultType":"complete","_meta":${meta}}`);
  }

  private encodeOnce(outcome: CompleteOutcome, id: RequestId): string {
    const { result, text } = outcome;
    if (text !== undefined && (text.length <= LONG || result['structuredContent'] !== undefined)) {
      return encodeResult(id, this.writeText(text, result['structuredContent']));
    }
    if (!isLong(result)) return encodeResult(id, this.write(outcome));
    this.size.expect(lengthOf(result));
    return encodeResponse(id, this.complete(outcome));
  }

  /** Structured content that equals the text is not serialised a second time, since that is the slowest part. */
  private writeText(text: string, structured: unknown): string {
    this.size.expect(structured === undefined ? text.length : 2 * text.length);
    const content = `"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
    const member = structured === undefined ? '' : `"structuredContent":${text},`;
    return `{"resultType":"complete",${content},${member}${this.ending}`;
  }

  /** Inserts the text of the result into a prepared encoding, whose other members rarely change. */
  private write({ result, cache }: CompleteOutcome): string {
    const own = result['_meta'] as Fields | undefined;
    const text = JSON.stringify(own === undefined ? result : { ...result, _meta: undefined });
    const members = text === '{}' ? '' : `${text.slice(1, -1)},`;
    const isUsual = own === undefined && cache === undefined;
    const ending = isUsual ? this.ending : endOf(this.surroundings(own, cache));
    return `{"resultType":"complete",${members}${ending}`;
  }

  /** The same as an object, for results whose text would take too long to join. */
  private complete({ result, cache }: CompleteOutcome): Fields {
    const own = result['_meta'] as Fields | undefined;
    return { resultType: 'complete', ...result, ...this.surroundings(own, cache) };
  }

  private surroundings(own: Fields | undefined, cache: CacheSubject | undefined): Fields {
    const meta = { ...own, ...this.meta };
    if (cache === undefined) return { _meta: meta };
    const { ttlMs, scope } = this.profile.cacheHint(cache);
    const versions = cache === 'discover' ? { supportedVersions: this.supportedVersions } : {};
    return { ...versions, ttlMs, cacheScope: scope, _meta: meta };
  }
}

/** The last members of an object, and its end. */
function endOf(members: Fields): string {
  return JSON.stringify(members).slice(1);
}

/** An estimate from the blocks of a tool and the parts of a resource, which are the long parts of long results. */
function isLong(result: Fields): boolean {
  const parts = partsOf(result);
  return parts.length > MANY || parts.some(isLongPart);
}

/** Its minimum number of characters. */
function lengthOf(result: Fields): number {
  return partsOf(result).reduce((length, part) => length + textOf(part).length, 0);
}

function partsOf({ content, contents }: Fields): readonly Part[] {
  const parts = content ?? contents;
  return Array.isArray(parts) ? (parts as readonly Part[]) : [];
}

interface Part {
  readonly text?: string;
  readonly data?: string;
  readonly blob?: string;
  readonly resource?: Part;
}

function isLongPart(part: Part): boolean {
  return textOf(part).length > LONG;
}

function textOf({ text, data, blob, resource }: Part): string {
  return text ?? data ?? blob ?? (resource === undefined ? '' : textOf(resource));
}
