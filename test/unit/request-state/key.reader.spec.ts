import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';

import { InvalidOptionsError } from '../../../lib/errors/invalid-options.error.js';
import { randomKey, readKeys } from '../../../lib/request-state/key.reader.js';
import type { StateKey, StateSealerOptions } from '../../../lib/request-state/state-sealer-options.interface.js';
import { StateSealer } from '../../../lib/request-state/state-sealer.js';
import { BINDING, keyOf } from './sealing.js';

const BYTES = Buffer.from(keyOf('bytes').secret);
const HEX = BYTES.toString('hex');
const BASE64URL = BYTES.toString('base64url');
const PASSPHRASE = 'correct horse, battery and staple';

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.message;
  }
  throw new Error('no option was refused');
}

const refusal = (options: unknown): string => messageOf(() => new StateSealer(options as StateSealerOptions));
const refusedSecret = (secret: unknown): string => refusal({ keys: [{ id: 'a', secret }] });

describe('options of sealed state', () => {
  it.each<[string, unknown, string]>([
    ['requestState.keys', { keys: undefined }, 'it must be a list of at least one key, { id, secret }.'],
    ['requestState.keys', { keys: [] }, 'it must be a list of at least one key, { id, secret }.'],
    ['requestState.keys', { keys: 'a:b' }, 'it must be a list of at least one key, { id, secret }.'],
    [
      'requestState.keys',
      { keys: Array.from({ length: 9 }, (_, index) => keyOf(`k${index}`)) },
      'it holds 9 keys, and may hold 8. Remove those whose last tokens have expired.',
    ],
    ['requestState.keys[1]', { keys: [keyOf('a'), null] }, 'it must be an object, { id, secret }.'],
    ['requestState.keys[0]', { keys: [PASSPHRASE] }, 'it must be an object, { id, secret }.'],
    [
      'requestState.keys[2].id',
      { keys: [keyOf('a'), keyOf('b'), keyOf('a', 9)] },
      'the key at place 0 has the same. Give every key its own.',
    ],
    ...['', 'a.b', 'a b', 'ä', 'a\n', 'x'.repeat(33), 7, undefined].map((id): [string, unknown, string] => [
      'requestState.keys[1].id',
      { keys: [keyOf('a'), { id, secret: PASSPHRASE }] },
      'it must be 1 to 32 of the characters A-Z, a-z, 0-9, "_" and "-".',
    ]),
    ['requestState.mode', { keys: [keyOf('a')], mode: 'plain' }, 'it must be "encrypted" or "signed".'],
    ...[0, -1, 900_001, 1.5, Number.NaN, Infinity, '300'].map((ttlMs): [string, unknown, string] => [
      'requestState.ttlMs',
      { keys: [keyOf('a')], ttlMs },
      'it must be a whole number from 1 to 900000.',
    ]),
  ])('are refused with a word on %s', (option, options, reason) => {
    expect(refusal(options)).toBe(`Option "${option}" of McpModule: ${reason}`);
  });

  it.each([1, 900_000])('allow a lifetime of %d ms', (ttlMs) => {
    expect(new StateSealer({ keys: [keyOf('a')], ttlMs })).toBeInstanceOf(StateSealer);
  });

  it('allow eight keys, and ids of 32 characters', () => {
    const keys = Array.from({ length: 8 }, (_, index) => keyOf(`${index}`.padStart(32, 'Aa0_-'), index));
    const sealer = new StateSealer({ keys });
    expect(sealer.open(sealer.seal('x', BINDING), () => BINDING)?.payload).toBe('x');
  });
});

describe('secrets', () => {
  const opens = (sealed: StateKey['secret'], opened: StateKey['secret']): boolean => {
    const [one, other] = [sealed, opened].map((secret) => new StateSealer({ keys: [{ id: 'a', secret }] }));
    return other?.open(one?.seal('x', BINDING), () => BINDING) !== undefined;
  };

  it.each([
    ['a Buffer', BYTES],
    ['a Uint8Array', new Uint8Array(BYTES)],
    ['a part of a larger buffer', Buffer.concat([Buffer.alloc(9), BYTES]).subarray(9)],
    ['hex', HEX],
    ['hex in capitals', HEX.toUpperCase()],
    ['base64url', BASE64URL],
  ])('are the same bytes as %s', (_name, secret) => {
    expect(opens(BYTES, secret)).toBe(true);
  });

  it.each([
    ['a passphrase', PASSPHRASE],
    ['a passphrase in the letters of base64url', 'correct-horse-battery-and-staple'],
    ['a long one in the letters of base64url', 'correct-horse-battery-and-staple-and-many-more'],
    ['base64', `${'+/'.repeat(8)}abcdefghijklmnopqrstuvwxyz0=`],
    ['64 bytes', Uint8Array.from({ length: 64 }, (_, index) => index)],
  ])('can be %s', (_name, secret) => {
    expect(opens(secret, secret)).toBe(true);
    expect(opens(secret, BYTES)).toBe(false);
  });

  it.each([
    [undefined, 'it must be a text or a Uint8Array.'],
    [[1, 2, 3], 'it must be a text or a Uint8Array.'],
    ['', 'it has 0 characters, and needs 32.'],
    ['correct horse battery and staple'.slice(1), 'it has 31 characters, and needs 32.'],
    ['😀'.repeat(31), 'it has 31 characters, and needs 32.'],
    ['0123456789abcdef'.repeat(2), 'it has 16 bytes, and needs 32.'],
    [HEX.slice(2), 'it has 31 bytes, and needs 32.'],
    [BYTES.subarray(1), 'it has 31 bytes, and needs 32.'],
    [new Uint8Array(32), 'it has fewer than 8 different bytes.'],
    ['00'.repeat(32), 'it has fewer than 8 different bytes.'],
    ['A'.repeat(43), 'it has fewer than 8 different characters.'],
    ['password'.repeat(4), 'it has fewer than 8 different characters.'],
    ['changeme changeme changeme changeme'.replaceAll(' ', 'x').replaceAll('g', 'a'), 'it has fewer than 8 different'],
  ])('are refused when weak: %p', (secret, reason) => {
    expect(refusedSecret(secret)).toContain(`Option "requestState.keys[0].secret" of McpModule: ${reason}`);
  });

  it('and ids are not part of an error message', () => {
    const secret = 'hunter2hunter2';
    const messages = [
      refusedSecret(secret),
      refusal({ keys: [{ id: `${PASSPHRASE}!`, secret }] }),
      refusal({ keys: [keyOf('hunter2'), keyOf('hunter2')] }),
      refusal({ keys: [`id:${PASSPHRASE}`] }),
      ...[PASSPHRASE, `a:${secret}`, `b c:${PASSPHRASE}`, `hunter2:${HEX},hunter2:${BASE64URL}`].map((text) =>
        messageOf(() => readKeys(text)),
      ),
    ];
    for (const message of messages) expect(message).not.toMatch(/hunter|horse|b c/);
  });

  it('are not shown by a sealer', () => {
    const shown = inspect(new StateSealer({ keys: [{ id: 'a', secret: PASSPHRASE }] }), { depth: 9, showHidden: true });
    expect(shown).not.toContain('horse');
    expect(shown).not.toMatch(/Buffer|Uint8Array/);
  });
});

describe('a random key', () => {
  it('seals, and is another one each time', () => {
    const [one, other] = [new StateSealer({ keys: [randomKey()] }), new StateSealer({ keys: [randomKey()] })];
    const token = one.seal('x', BINDING);
    expect(one.open(token, () => BINDING)?.payload).toBe('x');
    expect(other.open(token, () => BINDING)).toBeUndefined();
  });
});

describe('keys of the environment', () => {
  it('are read in their order', () => {
    expect(readKeys(`2026-11:${BASE64URL},2026-10:${HEX}`)).toEqual([
      { id: '2026-11', secret: BASE64URL },
      { id: '2026-10', secret: HEX },
    ]);
  });

  it('may have white space around, and colons in the secret', () => {
    expect(readKeys(`\n a : ${HEX} ,\tb:with:colons ${PASSPHRASE.replace(',', '')}\n`)).toEqual([
      { id: 'a', secret: HEX },
      { id: 'b', secret: `with:colons ${PASSPHRASE.replace(',', '')}` },
    ]);
  });

  it.each([
    ['', 'MCP_REQUEST_STATE_KEYS', 'it is empty. Write id:secret,id:secret.'],
    [' \n', 'MCP_REQUEST_STATE_KEYS', 'it is empty. Write id:secret,id:secret.'],
    [`a:${HEX},`, 'MCP_REQUEST_STATE_KEYS[1]', 'this entry is empty. Remove the comma.'],
    [`a:${HEX},,b:${HEX}`, 'MCP_REQUEST_STATE_KEYS[1]', 'this entry is empty. Remove the comma.'],
    [`a:${HEX},${HEX}`, 'MCP_REQUEST_STATE_KEYS[1]', 'it has no colon. Write id:secret; a secret cannot hold a comma.'],
    [`:${HEX}`, 'MCP_REQUEST_STATE_KEYS[0].id', 'it must be 1 to 32 of the characters A-Z, a-z, 0-9, "_" and "-".'],
    [
      `a:${HEX},a:${BASE64URL}`,
      'MCP_REQUEST_STATE_KEYS[1].id',
      'the key at place 0 has the same. Give every key its own.',
    ],
    [
      'a:short',
      'MCP_REQUEST_STATE_KEYS[0].secret',
      'it has 5 characters, and needs 32. Make one with "openssl rand -base64 32".',
    ],
  ])('are refused: %j', (text, option, reason) => {
    expect(messageOf(() => readKeys(text))).toBe(`Option "${option}" of McpModule: ${reason}`);
  });
});
