import assert from 'node:assert/strict';

const ID = 7;
const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const LARGE_TEXT = 'x'.repeat(1_000_000);

/**
 * One request as every server gets it, floors included, and what makes an answer to it right. An answer that is a
 * stream has so many `frames`, the response among them.
 */
function request(method, { _meta = {}, ...params }, check, frames) {
  return {
    ...(frames === undefined ? {} : { frames }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ID, method, params: { ...params, _meta: { ...META, ..._meta } } }),
    check(messages) {
      const message = messages.at(-1);
      assert.equal(message.jsonrpc, '2.0');
      assert.equal(message.id, ID);
      assert.ok(message.result, `no result but ${JSON.stringify(message).slice(0, 200)}`);
      check(message.result, messages.slice(0, -1));
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

const TOKEN = 'steps';

/** A call that reports so many updates before it returns. */
export const count = (to) =>
  request(
    'tools/call',
    { name: 'count', arguments: { to }, _meta: { progressToken: TOKEN } },
    ({ content }, updates) => {
      assert.equal(content[0].text, String(to));
      assert.equal(updates.length, to);
      for (const [index, { method, params }] of updates.entries()) {
        assert.equal(method, 'notifications/progress');
        assert.deepEqual(params, { progressToken: TOKEN, progress: index + 1, total: to });
      }
    },
    to + 1,
  );

/** Opens a stream of changes; nothing answers it until one side closes. */
export const LISTEN = request('subscriptions/listen', { notifications: { toolsListChanged: true } }, () => undefined);

export const list = (count) =>
  request('tools/list', {}, ({ tools }) => {
    assert.equal(tools.length, count);
    assert.deepEqual(tools.map(({ name }) => name).slice(0, 3), ['echo', 'add', 'count']);
    assert.deepEqual(Object.keys(tools.at(-1).inputSchema.properties), ['id', 'limit']);
  });
