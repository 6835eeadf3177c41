import { Injectable } from '@nestjs/common';

import type { CallEvent } from '../../model/event.js';
import type { Fault } from '../../model/fault.js';
import type { OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ServerProfile } from '../../model/server-profile.js';
import type { OutgoingMessage } from '../../wire/exchange.js';
import type { RequestId } from '../../wire/json-rpc.js';
import { encodeError, encodeId, encodeNotification } from '../../wire/json-rpc.encoder.js';
import { Dialect, type Decoding, type Incoming } from '../dialect.js';
import { META, metaOf, missingEnvelope, readEnvelope } from './envelope.js';
import { faultCode } from './fault-codes.js';
import { checkMethodHeader, checkNameHeader, checkVersionHeader } from './headers.js';
import { METHODS } from './methods.js';
import { ResultEncoder } from './result.encoder.js';

const REVISION = '2026-07-28';
const SUPPORTED = [REVISION] as const;

const refuse = (fault: Fault): Decoding => ({ ok: false, fault });

/**
 * The stateless dialect with a per-request envelope.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
@Injectable()
export class Dialect20260728 extends Dialect {
  readonly revision = REVISION;
  private readonly results: ResultEncoder;

  constructor(private readonly profile: ServerProfile) {
    super();
    this.results = new ResultEncoder(profile, SUPPORTED);
  }

  /** First refusal wins; the order keeps each of the protocol's mandated answers reachable. */
  decode({ message, head, caller }: Incoming): Decoding {
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
    if (rule === undefined || (rule.capability !== undefined && !(rule.capability in this.profile.capabilities))) {
      return refuse({ kind: 'method-not-found', method });
    }
    const reading = readEnvelope(params);
    if (!reading.ok) return reading;
    const operation = rule.read(params ?? {});
    if ('fault' in operation) return refuse(operation.fault);
    return { ok: true, request: { operation, id, caller, ...reading.envelope } };
  }

  encodeOutcome(outcome: Outcome, request: OperationRequest): OutgoingMessage {
    switch (outcome.kind) {
      case 'complete':
        return response(this.results.encode(outcome, request.id), 200);
      case 'input-required':
        return response(this.results.encodeInputRequired(outcome, request.id), 200);
      case 'fault':
        return this.encodeFault(outcome.fault, request.id);
      default:
        return outcome satisfies never;
    }
  }

  encodeEvent(event: CallEvent, { progressToken }: OperationRequest): OutgoingMessage {
    if (event.kind === 'log') {
      const { level, logger, data } = event;
      return notification('notifications/message', JSON.stringify({ level, logger, data: data ?? null }));
    }
    const { progress, total, message } = event;
    const token = encodeId(progressToken ?? '');
    const rest = JSON.stringify({ progress, total, message }).slice(1);
    return notification('notifications/progress', `{"progressToken":${token},${rest}`);
  }

  encodeFault(fault: Fault, id: RequestId | undefined): OutgoingMessage {
    const { code, message, data, status } = faultCode(fault, SUPPORTED);
    return response(encodeError(id, { code, message, ...(data === undefined ? {} : { data }) }), status);
  }

  /** A client of an older era opens with `initialize`; the answer is the only place to tell it what is spoken here. */
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

function notification(method: string, params: string): OutgoingMessage {
  return { kind: 'notification', json: encodeNotification(method, params), status: 200 };
}
