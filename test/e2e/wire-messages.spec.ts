import { describe, expect, it } from '@jest/globals';

import { ADAPTERS } from '../support/adapters.js';
import { Desk, deskApp } from '../support/desk.module.js';
import { mcpRequest } from '../support/mcp-request.js';
import { readAnswer, serve } from '../support/served-app.js';

const LIST = mcpRequest('tools/list');
const withId = (id: string): typeof LIST => ({ ...LIST, body: LIST.body.replace('"id":1', `"id":${id}`) });
const MESSAGE_ID = /^\{"jsonrpc":"2.0","id":("(?:[^"\\]|\\.)*"|-?\d+),/;

describe.each(ADAPTERS)('ids and tokens on $name', (adapter) => {
  it('come back exactly as they were sent', async () => {
    await using served = await serve(deskApp(), adapter);
    const long = 'x'.repeat(256);
    for (const id of [
      ...['0', '-1', '""', '"0"', '"a b"', '"日本"', `"${long}"`, `"${'é'.repeat(128)}"`],
      ...['9007199254740991', '9007199254740993', '9223372036854775807', '-9223372036854775808'],
    ]) {
      // In a result and in an error; the official schemas know no integers of 64 bits, so the text is compared.
      for (const [method, expected] of [
        ['tools/list', 200],
        ['other', 400],
      ] as const) {
        const { body } = withId(id);
        const response = await fetch(served.url, {
          method: 'POST',
          headers: { ...LIST.headers, 'mcp-method': method },
          body,
        });
        expect([response.status, MESSAGE_ID.exec(await response.text())?.[1]]).toEqual([expected, id]);
      }
    }
  });

  it('are refused out of bounds, and never repeated', async () => {
    await using served = await serve(deskApp(), adapter);
    for (const id of [
      ...['null', '1.5', 'true', '{}', '[1]', `"${'z'.repeat(257)}"`, `"${'é'.repeat(130)}"`],
      ...['9223372036854775808', '-9223372036854775809', '1e300'],
    ]) {
      const { status, text, message } = await served.post(withId(id));
      expect([id, status, message.error.code, 'id' in message]).toEqual([id, 400, -32600, false]);
      expect(text).not.toContain(id.replaceAll('"', ''));
    }
    expect(served.app.get(Desk).calls).toEqual([]);
  });

  it('bounds progress tokens alike, before the handler runs', async () => {
    await using served = await serve(deskApp(), adapter);
    const call = (progressToken: unknown): ReturnType<typeof served.call> =>
      served.call('echo', { text: 'x' }, { meta: { progressToken } });
    for (const token of [{}, [], null, true, 0.5, 'y'.repeat(300)]) {
      const { status, message, text } = await call(token);
      expect([status, message.error.code, message.id]).toEqual([200, -32602, 1]);
      expect(text).not.toContain('yyy');
    }
    expect(served.app.get(Desk).calls).toEqual([]);
    for (const token of [0, '', -5, 'z'.repeat(256)]) expect((await call(token)).message).toHaveProperty('result');
  });

  it('gives the token back in every update, exactly', async () => {
    await using served = await serve(deskApp(), adapter);
    for (const token of ['0', '""', '"t"', '9223372036854775807']) {
      const posted = mcpRequest(
        'tools/call',
        { name: 'count', arguments: { steps: 1 } },
        { meta: { progressToken: 'T' } },
      );
      const body = posted.body.replace('"progressToken":"T"', `"progressToken":${token}`);
      const response = await fetch(served.url, { method: 'POST', headers: posted.headers, body });
      expect(await response.text()).toContain(`"method":"notifications/progress","params":{"progressToken":${token},`);
    }
  });
});

describe.each(ADAPTERS)('messages without an answer on $name', (adapter) => {
  it.each([
    ['an unknown notification', { method: 'notifications/whatever' }],
    ['a known one', { method: 'notifications/roots/list_changed', params: {} }],
    ['a cancellation of nothing', { method: 'notifications/cancelled', params: { requestId: 99 } }],
    [
      'a cancellation that makes no sense',
      { method: 'notifications/cancelled', params: { requestId: 1.5, reason: 42 } },
    ],
    ['a call without an id', { method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } }],
  ])('takes %s with 202 and nothing else', async (_name, message) => {
    await using served = await serve(deskApp(), adapter);
    const { 'content-type': type, accept } = LIST.headers;
    const response = await fetch(served.url, {
      method: 'POST',
      headers: { 'content-type': type, accept: accept },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
    expect(response.status).toBe(202);
    expect(response.headers.get('content-length')).toBe('0');
    expect(response.headers.get('content-type')).toBeNull();
    expect(await response.text()).toBe('');
    expect(served.app.get(Desk).calls).toEqual([]);
  });

  it('refuses an invalid notification, without an id', async () => {
    await using served = await serve(deskApp(), adapter);
    for (const body of ['{"method":"notifications/x"}', '{"jsonrpc":"2.0","method":"notifications/x","params":[]}']) {
      const { status, message } = await served.post({ ...LIST, body });
      expect([status, 'id' in message]).toEqual([400, false]);
    }
  });

  it('answers good requests after any of the bad ones', async () => {
    await using served = await serve(deskApp(), adapter);
    for (const body of ['', '{', '[]', 'null', '{"jsonrpc":"2.0","id":1,"result":{}}']) {
      expect((await served.post({ ...LIST, body })).status).toBe(400);
    }
    const { message } = await served.call('echo', { text: 'still here' });
    expect(message.result.content).toEqual([{ type: 'text', text: 'still here' }]);
  });
});

describe.each(ADAPTERS)('answers on $name', (adapter) => {
  it('have no session, no cookie and no event ids, for any request', async () => {
    await using served = await serve(deskApp(), adapter);
    const headers = { 'mcp-session-id': 'dead', 'last-event-id': '9', cookie: 'session=dead' };
    for (const meta of [{}, { progressToken: 1 }]) {
      const { status, headers: answered, text } = await served.call('count', { steps: 1 }, { headers, meta });
      expect(status).toBe(200);
      for (const name of ['mcp-session-id', 'set-cookie', 'last-event-id']) expect(answered.get(name)).toBeNull();
      expect(text).not.toMatch(/^(id|retry):/m);
      expect(text).not.toContain('dead');
    }
  });

  it('contain only a reference for an unknown error', async () => {
    await using served = await serve(deskApp(), adapter);
    const { status, text, message } = await served.call('boom');
    expect([status, message.error.code, message.error.message]).toEqual([200, -32603, 'Internal error']);
    expect(message.error.data).toEqual({ reference: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(text).not.toContain('detail');
  });

  it('serve many at once, each on its own', async () => {
    await using served = await serve(deskApp(), adapter);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, id) => served.call('echo', { text: `text ${id}` }, { id })),
    );
    for (const [id, { message }] of answers.entries()) {
      expect([message.id, message.result.content]).toEqual([id, [{ type: 'text', text: `text ${id}` }]]);
    }
  });

  it('are the same text for any query of the URL', async () => {
    await using served = await serve(deskApp(), adapter);
    const { headers, body } = LIST;
    const plain = await served.post(LIST, 'tools/list');
    const queried = await readAnswer(
      await fetch(`${served.url}?a=/other&mcpAuth=x`, { method: 'POST', headers, body }),
    );
    expect(queried.text).toBe(plain.text);
  });
});
