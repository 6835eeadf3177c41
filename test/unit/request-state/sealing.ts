import { createRingKey } from '../../../lib/request-state/key-ring.js';
import {
  frameOf,
  markOf,
  type StateBinding,
  encodeHeader,
  encodeToken,
  type StateHeader,
} from '../../../lib/request-state/state-token.js';
import type { StateKey, StateMode } from '../../../lib/request-state/state-sealer-options.interface.js';
import { StateSealer } from '../../../lib/request-state/state-sealer.js';
import { ManualClock } from '../../support/manual-clock.js';

export const MODES: readonly StateMode[] = ['encrypted', 'signed'];

export const BINDING: StateBinding = {
  name: 'store',
  server: 'shop',
  method: 'tools/call',
  params: '{"name":"order"}',
  principal: 'ada',
};

/** Every other binding, one field changed. */
export const OTHER_BINDINGS: readonly (readonly [string, StateBinding])[] = [
  ['another name of the server', { ...BINDING, name: 'store2' }],
  ['another server', { ...BINDING, server: 'shop2' }],
  ['another method', { ...BINDING, method: 'prompts/get' }],
  ['other params', { ...BINDING, params: '{"name":"orders"}' }],
  ['no params', { ...BINDING, params: '' }],
  ['another principal', { ...BINDING, principal: 'adam' }],
  ['a principal in other letters', { ...BINDING, principal: 'Ada' }],
  ['no principal', { ...BINDING, principal: undefined }],
  ['the empty principal', { ...BINDING, principal: '' }],
  ['a letter moved to the next field', { ...BINDING, server: 'sho', method: 'ptools/call' }],
  ['a letter moved from the name', { ...BINDING, name: 'stor', server: 'eshop' }],
  ['two fields swapped', { ...BINDING, server: 'ada', principal: 'shop' }],
];

/** A key whose secret nobody else in the tests has. */
export function keyOf(id: string, seed = id.codePointAt(0) ?? 0): StateKey {
  return { id, secret: Uint8Array.from({ length: 32 }, (_, index) => (seed * 7 + index * 13) % 256) };
}

export interface SealerParts {
  readonly mode?: StateMode;
  readonly keys?: readonly StateKey[];
  readonly ttlMs?: number;
  readonly clock?: ManualClock;
}

export function sealerOf({
  mode,
  keys = [keyOf('a')],
  ttlMs,
  clock = new ManualClock(),
}: SealerParts = {}): StateSealer {
  return new StateSealer({ keys, ...(mode && { mode }), ...(ttlMs && { ttlMs }) }, () => clock.now());
}

export interface ForgedParts {
  readonly mode: StateMode;
  readonly key: StateKey;
  readonly header?: Partial<StateHeader>;
  readonly content?: Uint8Array;
  /** Stands for the binding, in place of the right one. */
  readonly mark?: Uint8Array;
}

/** A token with a right seal around whatever is asked for, as only a holder of the key can make it. */
export function forge({ mode, key, header: parts = {}, content = Buffer.from('payload'), mark }: ForgedParts): string {
  const nonce = new Uint8Array(12).fill(7);
  const header = encodeHeader({ mode, nonce, issuedAtMs: 0, lifetimeMs: 300_000, ...parts });
  const frame = frameOf({ header, keyId: key.id });
  const { cipher, binder } = createRingKey(key.id, key.secret as Uint8Array, mode);
  const marked = Buffer.concat([mark ?? markOf(binder, frame, BINDING), content]);
  return encodeToken({ keyId: key.id, header, body: cipher.seal(marked, { nonce, bound: frame }) });
}

/** The token with some of its bytes changed. */
export function rewrite(token: string, change: (bytes: Buffer) => Uint8Array | void): string {
  const [keyId, text] = token.split('.') as [string, string];
  const bytes = Buffer.from(text, 'base64url');
  return `${keyId}.${Buffer.from(change(bytes) ?? bytes).toString('base64url')}`;
}
