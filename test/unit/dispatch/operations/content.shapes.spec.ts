import { describe, expect, it } from '@jest/globals';

import { isContentBlock } from '../../../../lib/dispatch/operations/content.shapes.js';
import { readToolReturn } from '../../../../lib/dispatch/operations/call-tool.operation.js';
import { audio, embedded, image, resourceLink, text } from '../../../../lib/model/content.builders.js';

const extras = { annotations: { priority: 1 }, _meta: { 'example.com/a': 1 } };

describe('a content block', () => {
  it.each([
    text('a'),
    text('a', extras),
    text('a', { annotations: { audience: undefined, 'example.com/own': 1 } as never }),
    image('AQID', 'image/png', extras),
    audio(Uint8Array.of(1), 'audio/wav', extras),
    resourceLink({ uri: 'a://b', name: 'b', title: 't', description: 'd', mimeType: 'm', size: 1, ...extras }),
    embedded({ uri: 'a://b', text: '' }, extras),
    embedded({ uri: 'a://b', blob: 'AQID', mimeType: 'm', _meta: {} }),
  ])('is %j', (block) => {
    expect(isContentBlock(block)).toBe(true);
    // Interceptors may have copied the block.
    expect(isContentBlock(JSON.parse(JSON.stringify(block)))).toBe(true);
  });

  it.each([
    null,
    'text',
    [],
    {},
    { type: 'toString' },
    { type: 'video', data: '', mimeType: '' },
    { type: 'text' },
    { type: 'text', text: 5 },
    { type: 'text', text: 'a', id: 1 },
    { type: 'text', text: 'a', annotations: 'x' },
    { type: 'text', text: 'a', annotations: { priority: 7 } },
    { type: 'text', text: 'a', annotations: { audience: 'user' } },
    { type: 'text', text: 'a', annotations: { lastModified: 'yesterday' } },
    { type: 'text', text: 'a', _meta: [] },
    { type: 'image', data: 'AQID' },
    { type: 'image', data: Uint8Array.of(1), mimeType: 'image/png' },
    { type: 'resource_link', uri: 'a://b' },
    { type: 'resource_link', uri: 'a://b', name: 'b', size: '5' },
    { type: 'resource_link', uri: 'a://b', name: 'b', title: 5 },
    { type: 'resource' },
    { type: 'resource', resource: { uri: 'a://b' } },
    { type: 'resource', resource: { uri: 'a://b', text: 'a', blob: 'AQID' } },
    { type: 'resource', resource: { uri: 'a://b', text: 'a', blob: 5 } },
    { type: 'resource', resource: { text: 'a' } },
    { type: 'resource', resource: { uri: 'a://b', text: 'a', more: 1 } },
  ])('is not %j', (value) => {
    expect(isContentBlock(value)).toBe(false);
  });
});

describe('the return value of a tool', () => {
  it.each([
    [{ content: [text('a')] }, 'result'],
    [{ content: [] }, 'result'],
    [{ content: [], isError: true, structuredContent: 1, _meta: {} }, 'result'],
    [{ content: [], isError: 'yes' }, 'value'],
    [{ content: [], _meta: 5 }, 'value'],
    [{ content: [], more: 1 }, 'value'],
    [{ content: ['a'] }, 'value'],
    [{ content: 'a' }, 'value'],
    [[], 'value'],
    [[text('a'), 1], 'value'],
    [[text('a')], 'result'],
  ])('%j is a %s', (value, kind) => {
    expect(readToolReturn(value, false).kind).toBe(kind);
  });

  it('is a value when the tool has an output schema, unless it is a full result', () => {
    for (const value of ['a', undefined, text('a'), [text('a')]])
      expect(readToolReturn(value, true)).toEqual({ kind: 'value', value });
    expect(readToolReturn({ content: [] }, true).kind).toBe('result');
  });
});
