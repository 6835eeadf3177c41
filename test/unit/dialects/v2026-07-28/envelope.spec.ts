import { describe, expect, it } from '@jest/globals';

import { META, metaOf, missingEnvelope, readEnvelope } from '../../../../lib/dialects/v2026-07-28/envelope.js';

const GOOD = { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} };
const read = (more: Record<string, unknown>) => readEnvelope({ _meta: { ...GOOD, ...more } });

describe('missingEnvelope', () => {
  it.each([
    [undefined],
    [{}],
    [{ _meta: null }],
    [{ _meta: [] }],
    [{ _meta: { [META.clientCapabilities]: {} } }],
    [{ _meta: { ...GOOD, [META.protocolVersion]: 1 } }],
    [{ _meta: { ...GOOD, [META.clientCapabilities]: [] } }],
    [{ _meta: { ...GOOD, [META.clientCapabilities]: null } }],
  ])('reports a missing or invalid key in %j', (params) => {
    expect(missingEnvelope(params)).toMatchObject({ kind: 'missing-envelope' });
  });

  it('names the first key that is missing', () => {
    expect(missingEnvelope({ _meta: {} })).toMatchObject({ message: expect.stringContaining('protocolVersion') });
    expect(missingEnvelope({ _meta: { [META.protocolVersion]: 'x' } })).toMatchObject({
      message: expect.stringContaining('clientCapabilities'),
    });
  });

  it('accepts an envelope with only the two required keys', () => {
    expect(missingEnvelope({ _meta: GOOD })).toBeUndefined();
  });
});

describe('readEnvelope', () => {
  it('omits optional members that the client did not send', () => {
    expect(read({})).toEqual({
      ok: true,
      envelope: { client: { protocolVersion: '2026-07-28', capabilities: {} }, meta: GOOD },
    });
  });

  it.each([0, -1, '', 'p', 'x'.repeat(256), 9_223_372_036_854_775_807n])(
    'accepts the progress token %p',
    (progressToken) => {
      expect(read({ progressToken })).toMatchObject({ ok: true, envelope: { progressToken } });
    },
  );

  it.each([{}, [], null, true, 0.5, 'x'.repeat(257), 'é'.repeat(129), 9_223_372_036_854_775_808n])(
    'refuses the progress token %p',
    (progressToken) => {
      expect(read({ progressToken })).toMatchObject({ ok: false, fault: { kind: 'invalid-params' } });
    },
  );

  it.each([
    {},
    { name: 'x' },
    { name: 1, version: '1' },
    'x',
    [],
    null,
    { name: 'x', version: '1', icons: {} },
    { name: 'x', version: '1', title: 1 },
  ])('refuses the client info %j', (info) => {
    expect(read({ [META.clientInfo]: info })).toMatchObject({ ok: false });
  });

  it('accepts only known log levels', () => {
    expect(read({ [META.logLevel]: 'warning' })).toMatchObject({
      ok: true,
      envelope: { client: { logLevel: 'warning' } },
    });
    expect(read({ [META.logLevel]: 'loud' })).toMatchObject({ ok: false });
  });

  it.each(['own', 'com.example/own', 'a-b.c/x_y.z', 'traceparent', 'com.example/'])('accepts the key %s', (key) => {
    expect(read({ [key]: 1 }).ok).toBe(true);
  });

  it.each(['1com/own', 'com..example/x', '-a/b', 'a-/b', 'x y', 'own-', 'a/b/c', 'é'])('refuses the key %s', (key) => {
    expect(read({ [key]: 1 }).ok).toBe(false);
  });

  it('checks long keys quickly', () => {
    const started = performance.now();
    read({ [`${'a-'.repeat(50_000)}/`]: 1 });
    read({ ['a.'.repeat(50_000)]: 1 });
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('metaOf', () => {
  it('returns an object for any params', () => {
    expect([metaOf(undefined), metaOf({ _meta: 1 }), metaOf({ _meta: { a: 1 } })]).toEqual([{}, {}, { a: 1 }]);
  });
});
