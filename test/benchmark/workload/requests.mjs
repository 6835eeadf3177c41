import assert from 'node:assert/strict';

const ID = 7;
const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const LARGE_TEXT = 'x'.repeat(1_000_000);

/** One request as every server gets it, floors included, and what makes an answer to it right. */
function request(method, params, check) {
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ID, method, params: { ...params, _meta: META } }),
    check(message) {
      assert.equal(message.jsonrpc, '2.0');
      assert.equal(message.id, ID);
      assert.ok(message.result, `no result but ${JSON.stringify(message).slice(0, 200)}`);
      check(message.result);
    },
  };
}

const echo = (text) =>
  request('tools/call', { name: 'echo', arguments: { text } }, ({ content }) => {
    assert.equal(content.length, 1);
    assert.equal(content[0].type, 'text');
    assert.equal(content[0].text === text, true, 'another text came back');
  });

export const ECHO = echo('The quick brown fox jumps over the lazy dog');

export const LARGE_ECHO = echo(LARGE_TEXT);

export const ADD = request('tools/call', { name: 'add', arguments: { a: 20, b: 22 } }, ({ structuredContent }) =>
  assert.deepEqual(structuredContent, { sum: 42 }),
);

export const list = (count) =>
  request('tools/list', {}, ({ tools }) => {
    assert.equal(tools.length, count);
    assert.deepEqual(tools.map(({ name }) => name).slice(0, 3), ['echo', 'add', 'filler_0']);
    assert.deepEqual(Object.keys(tools.at(-1).inputSchema.properties), ['id', 'limit']);
  });
