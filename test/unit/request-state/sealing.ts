import { createCipher } from '../../../lib/request-state/key-ring.js';
import { bindToken, type StateBinding } from '../../../lib/request-state/state-binding.js';
import type { StateKey, StateMode } from '../../../lib/request-state/state-sealer-options.interface.js';
import { StateSealer } from '../../../lib/request-state/state-sealer.js';
import { encodeHeader, encodeToken, type StateHeader } from '../../../lib/request-state/state-token.js';
import { ManualClock } from '../../support/manual-clock.js';

export const MODES: readonly StateMode[] = ['encrypted', 'signed'];

export const BINDING: StateBinding = {
  server: 'shop',
  method: 'tools/call',
  params: '{"name":"order"}',
  principal: 'ada',
};

/** Every other binding, one field changed. */
export const OTHER_BINDINGS: readonly (readonly [string, StateBinding])[] = [
  ['another server', { ...BINDING, server: 'shop2' }],
  ['another method', { ...BINDING, method: 'prompts/get' }],
  ['other params', { ...BINDING, params: '{"name":"orders"}' }],
  ['no params', { ...BINDING, params: '' }],
  ['another principal', { ...BINDING, principal: 'adam' }],
  ['a principal in other letters', { ...BINDING, principal: 'Ada' }],
  ['no principal', { ...BINDING, principal: undefined }],
  ['the empty principal', { ...BINDING, principal: '' }],
  ['a letter moved to the next field', { ...BINDING, server: 'sho', method: 'ptools/call' }],
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
}

/** A token with a right seal around whatever is asked for, as only a holder of the key can make it. */
export function forge({ mode, key, header: parts = {}, content = Buffer.from('payload') }: ForgedParts): string {
  const nonce = new Uint8Array(12).fill(7);
  const header = encodeHeader({ mode, nonce, issuedAtMs: 0, lifetimeMs: 300_000, ...parts });
  const bound = bindToken({ header, keyId: key.id }, BINDING);
  const body = createCipher(key.secret as Uint8Array, mode).seal(content, { nonce, bound });
  return encodeToken({ keyId: key.id, header, body });
}

/** The token with some of its bytes changed. */
export function rewrite(token: string, change: (bytes: Buffer) => Uint8Array | void): string {
  const [keyId, text] = token.split('.') as [string, string];
  const bytes = Buffer.from(text, 'base64url');
  return `${keyId}.${Buffer.from(change(bytes) ?? bytes).toString('base64url')}`;
}
