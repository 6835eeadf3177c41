import type { BodyReading, Refusal } from '../../wire/exchange.js';
import { PARSE_ERROR } from '../../wire/json-rpc.js';
import { decodeJson } from '../../wire/json/json.decoder.js';
import { refuse } from '../../wire/refusal.js';

export type BodyVerdict =
  | { readonly ok: true; readonly value: unknown; readonly bytes: Uint8Array | string }
  | { readonly ok: false; readonly refusal: Refusal };

/** Bytes to one JSON value, within all limits. */
export class BodyCheck {
  check(reading: BodyReading): BodyVerdict {
    if (!reading.ok) return reading;
    const decoding = decodeJson(reading.bytes);
    if (decoding.ok) return { ok: true, value: decoding.value, bytes: reading.bytes };
    return { ok: false, refusal: refuse(400, `Parse error: ${decoding.reason}`, { code: PARSE_ERROR }) };
  }
}
