import type { OutgoingEvent } from '../../model/event.js';
import type { Fault } from '../../model/fault.js';
import { type OperationRequest, MAX_ANSWERS, type Retry } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ServerProfile } from '../../model/server-profile.js';
import type { OutgoingMessage } from '../../wire/exchange.js';
import type { JsonRpcNotification, RequestId } from '../../wire/json-rpc.js';
import { isBoundedId, encodeError } from '../../wire/json-rpc.codec.js';
import { Dialect, type CancelNotice, type Decoding, type Incoming } from '../dialect.js';
import {
  META,
  metaOf,
  missingEnvelope,
  readEnvelope,
  REVISION,
  checkMethodHeader,
  checkNameHeader,
  checkVersionHeader,
} from './envelope.js';
import { EventEncoder } from './event.encoder.js';
import { faultCode } from './error-statuses.js';
import { MessageSize, ResultTooLargeError, ResultEncoder } from './result.encoder.js';
import { METHODS, offers } from './methods.js';
import { isFields, type Fields } from '../../model/fields.js';

const SUPPORTED = [REVISION] as const;

const refuse = (fault: Fault): Decoding => ({ ok: false, fault });

/**
 * The stateless dialect with a per-request envelope.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
export class Dialect20260728 extends Dialect {
  readonly revision = REVISION;
  private readonly size: MessageSize;
  private readonly results: ResultEncoder;
  private readonly events = new EventEncoder();

  constructor(
    private readonly profile: ServerProfile,
    maxResultBytes: number,
  ) {
    super();
    this.size = new MessageSize(maxResultBytes);
    this.results = new ResultEncoder(profile, SUPPORTED, this.size);
  }

  /** The first refusal wins; the order keeps each of the protocol's mandated answers reachable. */
  decode({ message, head, caller, body }: Incoming): Decoding {
    const { method, params, id } = message;
    const envelopeFault = missingEnvelope(params);
    if (envelopeFault !== undefined) return refuse(this.explainHandshake(message, head) ?? envelopeFault);
    const version = metaOf(params)[META.protocolVersion] as string;
    const versionFault = checkVersionHeader(head, version) ?? unsupported(version);
    if (versionFault !== undefined) return refuse(versionFault);
    const rule = METHODS.get(method);
    const headerFault =
      checkMethodHeader(head, method) ??
      (rule?.mirrored === undefined ? undefined : checkNameHeader(head, params?.[rule.mirrored]));
    if (headerFault !== undefined) return refuse(headerFault);
    if (rule === undefined || !offers(rule, this.profile)) return refuse({ kind: 'method-not-found', method });
    const reading = readEnvelope(params);
    if (!reading.ok) return reading;
    const operation = rule.read(params ?? {});
    if ('fault' in operation) return refuse(operation.fault);
    const { client, meta, progressToken } = reading.envelope;
    if (rule.repeats !== true) return { ok: true, request: { operation, id, caller, client, meta, progressToken } };
    const repeated = readRetry(params);
    if ('fault' in repeated) return refuse(repeated.fault);
    const { retry } = repeated;
    const rawHeaders = head?.rawHeaders;
    return { ok: true, request: { operation, id, caller, client, meta, progressToken, body, rawHeaders, retry } };
  }

  decodeNotification({ method, params }: JsonRpcNotification): CancelNotice | undefined {
    if (method !== 'notifications/cancelled') return undefined;
    const { requestId, reason } = params ?? {};
    if (!isBoundedId(requestId) || (reason !== undefined && typeof reason !== 'string')) return undefined;
    return { kind: 'cancel', requestId };
  }

  /** @throws an error if the message cannot be encoded, and ResultTooLargeError. */
  encodeOutcome(outcome: Outcome, request: OperationRequest): OutgoingMessage {
    try {
      return this.encode(outcome, request);
    } catch (error) {
      throw error instanceof ResultTooLargeError ? error.of('The result', request) : error;
    }
  }

  /** @throws an error if the message cannot be encoded, and ResultTooLargeError. */
  encodeEvent(event: OutgoingEvent, request: OperationRequest): OutgoingMessage {
    const message = this.events.encode(event, request);
    try {
      // Only its data has no other limit.
      if (event.kind === 'log') this.size.check(message.json);
    } catch (error) {
      throw error instanceof ResultTooLargeError ? error.of('A log message', request) : error;
    }
    return message;
  }

  encodeFault(fault: Fault, id: RequestId | undefined): OutgoingMessage {
    const { code, message, data, status, headers } = faultCode(fault, SUPPORTED);
    const answer = response(encodeError(id, { code, message, ...(data === undefined ? {} : { data }) }), status);
    return headers === undefined ? answer : { ...answer, headers };
  }

  private encode(outcome: Outcome, request: OperationRequest): OutgoingMessage {
    switch (outcome.kind) {
      case 'complete':
        return response(this.size.check(this.results.encode(outcome, request.id)), 200);
      case 'input-required':
        return response(this.size.check(this.results.encodeInputRequired(outcome, request.id)), 200);
      case 'fault': {
        const answer = this.encodeFault(outcome.fault, request.id);
        // Errors without text of the app are the answer to errors that are too large.
        if ('message' in outcome.fault) this.size.check(answer.json);
        return answer;
      }
      case 'unsubscribed':
        return response(this.results.encodeUnsubscribed(request.id), 200);
      case 'cancelled':
        return { kind: 'nothing', json: '', status: 204 };
      default:
        return outcome satisfies never;
    }
  }

  /** A client of an older revision opens with `initialize`; only this answer can list the supported revisions. */
  private explainHandshake({ method, params }: Incoming['message'], head: Incoming['head']): Fault | undefined {
    if (method !== 'initialize' || META.protocolVersion in metaOf(params)) return undefined;
    if (head?.headers['mcp-protocol-version'] === REVISION) return undefined;
    const requested = params?.['protocolVersion'];
    return { kind: 'unsupported-version', requested: typeof requested === 'string' ? requested.slice(0, 64) : '' };
  }
}

function unsupported(version: string): Fault | undefined {
  return version === REVISION ? undefined : { kind: 'unsupported-version', requested: version };
}

function response(json: string, status: number): OutgoingMessage {
  return { kind: 'response', json, status };
}

export type RetryReading = { readonly retry?: Retry } | { readonly fault: Fault };

const NONE: RetryReading = Object.freeze({});

/**
 * The parameters that a client adds when it repeats a request to answer questions.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export function readRetry(params: Readonly<Record<string, unknown>> | undefined): RetryReading {
  const { inputResponses, requestState: state } = params ?? {};
  if (inputResponses === undefined && state === undefined) return NONE;
  if (state !== undefined && typeof state !== 'string') return invalid('requestState must be a string');
  const answers = inputResponses === undefined ? {} : inputResponses;
  if (!isFields(answers)) return invalid('inputResponses must be an object of objects');
  const names = Object.keys(answers);
  // Before any of them is examined.
  if (names.length > MAX_ANSWERS) return invalid(`inputResponses must have at most ${MAX_ANSWERS} members`);
  if (!hasObjects(answers, names)) return invalid('inputResponses must be an object of objects');
  return { retry: { answers, ...(state === undefined ? {} : { state }) } };
}

const invalid = (message: string): RetryReading => ({ fault: { kind: 'invalid-params', message } });

const hasObjects = (value: Fields, names: readonly string[]): value is Retry['answers'] =>
  names.every((name) => isFields(value[name]));
