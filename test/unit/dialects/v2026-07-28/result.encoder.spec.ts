import { describe, expect, it } from '@jest/globals';

import { ResultEncoder } from '../../../../lib/dialects/v2026-07-28/result.encoder.js';
import type { CacheHint } from '../../../../lib/model/outcome.js';
import { ServerProfile } from '../../../../lib/model/server-profile.js';

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

class Profile extends ServerProfile {
  readonly identity = { name: 'n', version: 'v' };
  readonly instructions = undefined;
  readonly capabilities = {};
  readonly subscriptions = false;
  asked = 0;

  cacheHint(): CacheHint {
    this.asked += 1;
    return { ttlMs: 5, scope: 'public' };
  }
}

const encoderOf = (profile = new Profile()): ResultEncoder =>
  new ResultEncoder(profile, ['2026-07-28'], { expect: () => undefined });
const parse = (text: string): unknown => {
  const { jsonrpc, id, result } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  expect([jsonrpc, id]).toEqual(['2.0', 1]);
  return result;
};
const meta = { [SERVER_INFO]: { name: 'n', version: 'v' } };

describe('ResultEncoder', () => {
  it('adds the result type and the server identity, also to empty results', () => {
    expect(parse(encoderOf().encode({ kind: 'complete', result: {} }, 1))).toEqual({
      resultType: 'complete',
      _meta: meta,
    });
    expect(parse(encoderOf().encode({ kind: 'complete', result: { content: [] } }, 1))).toEqual({
      resultType: 'complete',
      content: [],
      _meta: meta,
    });
  });

  it.each([
    ['a long text', { content: [{ type: 'text', text: 'é'.repeat(9_000) }] }],
    ['a long picture', { content: [{ type: 'image', data: 'A'.repeat(9_000), mimeType: 'image/png' }] }],
    ['a long resource', { content: [{ type: 'resource', resource: { uri: 'a://b', text: 'x'.repeat(9_000) } }] }],
    ['many blocks', { content: Array.from({ length: 100 }, () => ({ type: 'text', text: 'a' })), isError: true }],
    ['a long blob', { contents: [{ uri: 'a://b', blob: 'A'.repeat(9_000) }] }],
    ['content that is not a list', { content: 'x' }],
  ])('encodes %s without changes', (_, result) => {
    const withOwn = { ...result, _meta: { own: 1 } };
    expect(parse(encoderOf().encode({ kind: 'complete', result: withOwn }, 1))).toEqual({
      resultType: 'complete',
      ...result,
      _meta: { own: 1, ...meta },
    });
    expect(parse(encoderOf().encode({ kind: 'complete', result, cache: 'read' }, 1))).toEqual({
      resultType: 'complete',
      ...result,
      ttlMs: 5,
      cacheScope: 'public',
      _meta: meta,
    });
  });

  it.each([
    ['a short text', 'say "é"\u2028\ud800'],
    ['an empty text', ''],
    ['a long text', 'é'.repeat(9_000)],
  ])('encodes %s in the same way with and without the prepared text', (_, text) => {
    const result = { content: [{ type: 'text', text }] };
    const written = encoderOf().encode({ kind: 'complete', result, text }, 1);
    expect(written).toBe(encoderOf().encode({ kind: 'complete', result }, 1));
    expect(parse(written)).toMatchObject(JSON.parse(JSON.stringify(result)) as object);
  });

  it.each([
    ['an object', { a: ['é', 1.5, { b: undefined }], at: new Date(0) }],
    ['a long object', { rows: Array.from({ length: 2_000 }, (_row, index) => ({ index })) }],
    ['a string', 'a "b"'],
    ['null', null],
    ['a number', 0],
  ])('encodes structured content that is %s from its prepared text', (_, structuredContent) => {
    const text = JSON.stringify(structuredContent);
    const result = { content: [{ type: 'text', text }], structuredContent };
    const written = encoderOf().encode({ kind: 'complete', result, text }, 1);
    expect(parse(written)).toEqual(parse(encoderOf().encode({ kind: 'complete', result }, 1)));
    expect(parse(written)).toMatchObject({ structuredContent: JSON.parse(text) as unknown });
  });

  it('keeps the metadata of the result, except a forged server identity', () => {
    const result = { _meta: { own: 1, [SERVER_INFO]: 'forged' } };
    expect(parse(encoderOf().encode({ kind: 'complete', result }, 1))).toEqual({
      resultType: 'complete',
      _meta: { own: 1, ...meta },
    });
  });

  it('adds a cache hint when the result names a cache subject', () => {
    expect(parse(encoderOf().encode({ kind: 'complete', result: { tools: [] }, cache: 'tools' }, 1))).toEqual({
      resultType: 'complete',
      tools: [],
      ttlMs: 5,
      cacheScope: 'public',
      _meta: meta,
    });
  });

  it('adds the supported versions to a discovery result', () => {
    expect(parse(encoderOf().encode({ kind: 'complete', result: {}, cache: 'discover' }, 1))).toMatchObject({
      supportedVersions: ['2026-07-28'],
    });
  });

  it('encodes an immutable result once, and any other result each time', () => {
    const profile = new Profile();
    const encoder = encoderOf(profile);
    const page = { kind: 'complete', result: { tools: [] }, cache: 'tools', immutable: true } as const;
    expect(encoder.encode(page, 1)).toBe(encoder.encode(page, 1));
    expect(profile.asked).toBe(1);
    encoder.encode({ ...page, immutable: false }, 1);
    expect(profile.asked).toBe(2);
  });

  it('encodes an input request without a cache hint', () => {
    const text = encoderOf().encodeInputRequired(
      {
        kind: 'input-required',
        inputRequests: { a: {} },
        requestState: 's',
      },
      1,
    );
    expect(parse(text)).toEqual({
      resultType: 'input_required',
      inputRequests: { a: {} },
      requestState: 's',
      _meta: meta,
    });
    expect(parse(encoderOf().encodeInputRequired({ kind: 'input-required', requestState: '' }, 1))).toEqual({
      resultType: 'input_required',
      requestState: '',
      _meta: meta,
    });
  });

  it('encodes a result as one line, also when a text has line breaks', () => {
    const text = encoderOf().encode({ kind: 'complete', result: { text: 'a\nb\r\u2028' } }, 1);
    expect(text).not.toMatch(/[\r\n]/);
  });
});
