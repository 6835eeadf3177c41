import { describe, expect, it } from '@jest/globals';

import { faultCode } from '../../../../lib/dialects/v2026-07-28/error-statuses.js';
import type { Fault } from '../../../../lib/model/fault.js';

const message = 'why';

describe('faultCode', () => {
  it.each<[Fault, number, number, unknown]>([
    [{ kind: 'method-not-found', method: 'x' }, -32601, 404, undefined],
    [{ kind: 'missing-envelope', message }, -32602, 400, undefined],
    [{ kind: 'header-mismatch', message }, -32020, 400, undefined],
    [{ kind: 'header-mismatch', message, header: 'a', body: 'b' }, -32020, 400, { header: 'a', body: 'b' }],
    [{ kind: 'header-mismatch', message, body: 'b' }, -32020, 400, { body: 'b' }],
    [{ kind: 'unsupported-version', requested: 'r' }, -32022, 400, { requested: 'r', supported: ['s'] }],
    [{ kind: 'invalid-params', message }, -32602, 200, undefined],
    [{ kind: 'invalid-params', message, data: 1 }, -32602, 200, 1],
    [{ kind: 'unknown-component', message }, -32602, 200, undefined],
    [{ kind: 'resource-not-found', message, uri: 'u' }, -32602, 200, { uri: 'u' }],
    [{ kind: 'refused', message }, 403, 200, undefined],
    [{ kind: 'refused', message, data: { a: 1 } }, 403, 200, { a: 1 }],
    [{ kind: 'too-many-calls', message }, 429, 200, undefined],
    [{ kind: 'unauthenticated', message }, 401, 401, undefined],
    [{ kind: 'unauthenticated', message, data: { a: 1 } }, 401, 401, { a: 1 }],
    [{ kind: 'forbidden', message }, 403, 403, undefined],
    [{ kind: 'forbidden', message, scopes: ['a'], data: 1 }, 403, 403, 1],
    [{ kind: 'protocol', code: 1, message }, 1, 200, undefined],
    [{ kind: 'protocol', code: -32601, message }, -32601, 404, undefined],
    [{ kind: 'protocol', code: -32020, message }, -32020, 400, undefined],
    [{ kind: 'protocol', code: -32021, message, data: { a: 1 } }, -32021, 400, { a: 1 }],
    [{ kind: 'protocol', code: -32022, message }, -32022, 400, undefined],
    [{ kind: 'internal', reference: 'ref' }, -32603, 200, { reference: 'ref' }],
  ])('encodes %j as the code %i with the status %i', (fault, code, status, data) => {
    const found = faultCode(fault, ['s']);
    expect([found.code, found.status, found.data]).toEqual([code, status, data]);
    expect('data' in found).toBe(data !== undefined);
  });

  it('cuts a long header or body, but not inside a character', () => {
    const header = 'h'.repeat(256);
    const body = `${'b'.repeat(255)}😀`;
    expect(faultCode({ kind: 'header-mismatch', message, header, body }, ['s']).data).toEqual({
      header,
      body: `${'b'.repeat(255)}…`,
    });
  });

  it.each<[Fault, Readonly<Record<string, string>> | undefined]>([
    [{ kind: 'unauthenticated', message }, { 'www-authenticate': 'Bearer' }],
    [{ kind: 'forbidden', message }, undefined],
    [
      { kind: 'forbidden', message, scopes: ['files:read', 'files:write'] },
      { 'www-authenticate': 'Bearer error="insufficient_scope", scope="files:read files:write"' },
    ],
    [
      { kind: 'forbidden', message, scopes: ['a"b\\c', 'd\r\nx: y', 'é'] },
      { 'www-authenticate': String.raw`Bearer error="insufficient_scope", scope="a\"b\\c d??x: y ?"` },
    ],
    [{ kind: 'refused', message }, undefined],
  ])('encodes %j with the headers %j', (fault, headers) => {
    expect(faultCode(fault, ['s']).headers).toEqual(headers);
  });
});
