import { describe, expect, it } from '@jest/globals';

import { EventEncoder } from '../../../../lib/dialects/v2026-07-28/event.encoder.js';
import type { Change } from '../../../../lib/model/change.js';
import { LogItem, ProgressItem, type OutgoingEvent } from '../../../../lib/model/event.js';
import type { OperationRequest } from '../../../../lib/model/operation.js';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

function requestOf(id: OperationRequest['id'], progressToken?: OperationRequest['id']): OperationRequest {
  return {
    operation: { kind: 'discover' },
    id,
    client: { capabilities: {}, protocolVersion: '2026-07-28' },
    meta: {},
    caller: { auth: () => undefined },
    ...(progressToken === undefined ? {} : { progressToken }),
  };
}

function encode(event: OutgoingEvent, request = requestOf(1), encoder = new EventEncoder()): string {
  const message = encoder.encode(event, request);
  expect([message.kind, message.status]).toEqual(['notification', 200]);
  return message.json;
}

const parse = (json: string): unknown => JSON.parse(json);
const updated = (uri: string): Change => ({ kind: 'resource-updated', uri });

describe('an encoded change', () => {
  it.each<readonly [Change, string, object]>([
    [{ kind: 'tools-changed' }, 'notifications/tools/list_changed', {}],
    [{ kind: 'prompts-changed' }, 'notifications/prompts/list_changed', {}],
    [{ kind: 'resources-changed' }, 'notifications/resources/list_changed', {}],
    [updated('demo://a'), 'notifications/resources/updated', { uri: 'demo://a' }],
  ])('contains the subscription id: %j', (change, method, params) => {
    expect(parse(encode(change, requestOf('s')))).toEqual({
      jsonrpc: '2.0',
      method,
      params: { _meta: { [SUBSCRIPTION_ID]: 's' }, ...params },
    });
  });

  it.each([7, 0, -1, '7', '', '"\\\n', '\u0000', '$&$1'])('keeps the id %j', (id) => {
    for (const change of [{ kind: 'tools-changed' } as const, updated('demo://a')]) {
      expect(parse(encode(change, requestOf(id)))).toMatchObject({ params: { _meta: { [SUBSCRIPTION_ID]: id } } });
    }
  });

  it('keeps all digits of an id', () => {
    const json = encode({ kind: 'tools-changed' }, requestOf(9_223_372_036_854_775_807n));
    expect(json).toContain(`"${SUBSCRIPTION_ID}":9223372036854775807}`);
  });

  it.each(['a:"quoted"', 'a:\\', 'a:$&', 'a:\u0000', 'a:語', `a:{"_meta":{"${SUBSCRIPTION_ID}":1}}`])(
    'keeps the URI %j',
    (uri) => {
      expect(parse(encode(updated(uri), requestOf(3)))).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { _meta: { [SUBSCRIPTION_ID]: 3 }, uri },
      });
    },
  );

  it('is different for each subscription and each change, in any order', () => {
    const encoder = new EventEncoder();
    const changes = [updated('demo://a'), { kind: 'tools-changed' } as const, updated('demo://b')];
    const write = (): unknown[] =>
      changes.flatMap((change) => [1, 'one', 2n].map((id) => parse(encode(change, requestOf(id), encoder))));
    const first = write();
    expect(first).toHaveLength(9);
    expect(new Set(first.map((message) => JSON.stringify(message))).size).toBe(9);
    expect(write()).toEqual(first);
  });

  it('is encoded once for all subscriptions', () => {
    let asked = 0;
    const change: Change = {
      kind: 'resource-updated',
      get uri() {
        asked += 1;
        return 'demo://a';
      },
    };
    const encoder = new EventEncoder();
    for (const id of [1, 2, 3]) encode(change, requestOf(id), encoder);
    expect(asked).toBe(1);
  });
});

describe('an encoded acknowledgement', () => {
  const filter = { tools: false, prompts: false, resources: false, uris: [] };

  it.each([
    [filter, {}],
    [{ ...filter, tools: true }, { toolsListChanged: true }],
    [
      { ...filter, prompts: true, resources: true },
      { promptsListChanged: true, resourcesListChanged: true },
    ],
    [{ ...filter, uris: ['demo://a', 'a:"'] }, { resourceSubscriptions: ['demo://a', 'a:"'] }],
  ])('contains only the accepted filter: %j', (honoured, notifications) => {
    expect(parse(encode({ kind: 'acknowledged', filter: honoured }, requestOf('')))).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: { [SUBSCRIPTION_ID]: '' }, notifications },
    });
  });

  it('keeps all digits of an id', () => {
    const json = encode({ kind: 'acknowledged', filter }, requestOf(-9_007_199_254_740_993n));
    expect(json).toContain(`"${SUBSCRIPTION_ID}":-9007199254740993}`);
  });
});

describe('an encoded event of a call', () => {
  it('is a progress notification with the token of the request', () => {
    expect(parse(encode(new ProgressItem(1, 2, 'half'), requestOf(1, 'token')))).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'token', progress: 1, total: 2, message: 'half' },
    });
    expect(parse(encode(new ProgressItem(0.5), requestOf(1, 0)))).toMatchObject({
      params: { progressToken: 0, progress: 0.5 },
    });
    expect(encode(new ProgressItem(1), requestOf(1, 9_007_199_254_740_993n))).toContain(
      '{"progressToken":9007199254740993,"progress":1}',
    );
  });

  it('is a log message, with null when there is no data', () => {
    expect(parse(encode(new LogItem('info', { a: 1n }, 'name')))).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', logger: 'name', data: { a: 1 } },
    });
    expect(parse(encode(new LogItem('error', undefined)))).toMatchObject({ params: { level: 'error', data: null } });
  });

  it('is refused when JSON cannot represent the data', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => encode(new LogItem('info', cycle))).toThrow(TypeError);
  });
});
