import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import { Completion, Prompt, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { Desk, deskApp } from '../support/desk.module.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { serve } from '../support/served-app.js';

@Injectable()
class Oddities {
  @Tool({ name: 'a.b-c_d', description: 'A name with every kind of character' })
  odd(): string {
    return 'odd';
  }

  @Prompt({ name: 'tell', description: 'Tells of a place', input: z.object({ place: z.string() }) })
  tell({ place }: { place: string }): string {
    return place;
  }

  @Completion({ prompt: 'tell', argument: 'place' })
  places(): string[] {
    return ['Bern'];
  }
}

const CALL = mcpRequest('tools/call', { name: 'echo', arguments: { text: 'hi' } });

describe.each(ADAPTERS)('mirrored headers on $name', (adapter) => {
  it.each([
    [
      'names in capitals',
      (lines: [string, string][]) => lines.map(([name, value]) => [name.toUpperCase(), value] as const),
    ],
    [
      'white space around values',
      (lines: [string, string][]) => lines.map(([name, value]) => [name, ` \t${value} \t`] as const),
    ],
    ['another order', (lines: [string, string][]) => lines.toReversed()],
    ['unknown parameter headers', (lines: [string, string][]) => [...lines, ['mcp-param-region', 'eu'] as const]],
    [
      'a charset',
      (lines: [string, string][]) => [
        ['content-type', 'Application/JSON; charset="UTF-8"'] as const,
        ...lines.slice(1),
      ],
    ],
  ])('admit %s', async (_name, change) => {
    await using served = await serve(deskApp(), adapter);
    using connection = await RawConnection.open(served.origin);
    connection.send({ headers: change(linesOf(CALL) as [string, string][]), body: CALL.body });
    expect((await connection.answer()).message.result.content).toEqual([{ type: 'text', text: 'hi' }]);
  });

  it('compare names after decoding them', async () => {
    await using served = await serve(deskApp(), adapter);
    const read = (name: string): ReturnType<typeof served.send> =>
      served.send('resources/read', { uri: 'demo://café' }, { headers: { 'mcp-name': name } });
    const good = await read('=?base64?ZGVtbzovL2NhZsOp?=');
    expect(good.message.result.contents).toMatchObject([{ uri: 'demo://café', text: 'coffee' }]);
    for (const bad of [
      ...['=?base64?!!!?=', '=?BASE64?ZGVtbzovL2NhZsOp?=', '=?base64?ZGVtbzovL2NhZsOp', 'ZGVtbzovL2NhZsOp'],
      // Broken UTF-8, and the name of something else.
      ...['=?base64?ZGVtbzovL2NhZsM=?=', '=?base64?ZWNobw==?=', ''],
    ]) {
      const { status, message } = await read(bad);
      expect([bad, status, message.error.code, message.id]).toEqual([bad, 400, -32020, 1]);
    }
  });

  it('compare plain names with markers around too', async () => {
    await using served = await serve(deskApp({}, { providers: [Oddities] }), adapter);
    for (const name of ['a.b-c_d', `=?base64?${Buffer.from('a.b-c_d').toString('base64')}?=`]) {
      const { message } = await served.call('a.b-c_d', {}, { headers: { 'mcp-name': name } });
      expect(message.result.content).toEqual([{ type: 'text', text: 'odd' }]);
    }
  });

  it('never run the tool of the body under the name of another', async () => {
    await using served = await serve(deskApp(), adapter);
    const { status, message } = await served.call('boom', {}, { headers: { 'mcp-name': 'echo' } });
    expect([status, message.error.code]).toEqual([400, -32020]);
    expect(message.error.data).toEqual({ header: 'echo', body: 'boom' });
    expect(served.app.get(Desk).calls).toEqual([]);
  });

  it.each([
    ['tools/call', {}],
    ['prompts/get', {}],
    ['resources/read', {}],
  ])('leave a name that %s lacks to its parameters', async (method, params) => {
    await using served = await serve(deskApp(), adapter);
    const absent = await served.send(method, params);
    expect([absent.status, absent.message.error.code]).toEqual([400, -32020]);
    const present = await served.send(method, params, { headers: { 'mcp-name': 'x' } });
    expect([present.status, present.message.error.code]).toEqual([200, -32602]);
  });

  it('need no name where nothing is named', async () => {
    await using served = await serve(deskApp({}, { providers: [Oddities] }), adapter);
    const params = { ref: { type: 'ref/prompt', name: 'tell' }, argument: { name: 'place', value: 'B' } };
    expect((await served.send('completion/complete', params)).message.result.completion).toMatchObject({
      values: ['Bern'],
    });
    for (const method of [
      'server/discover',
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ]) {
      const { status } = await served.send(method, {}, { headers: { 'mcp-name': 'ignored' } });
      expect([method, status]).toEqual([method, 200]);
    }
  });

  it.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])('refuse %s when it is there twice', async (repeated) => {
    await using served = await serve(deskApp(), adapter);
    for (const second of [CALL.headers[repeated], 'other', '']) {
      using connection = await RawConnection.open(served.origin);
      connection.send({ headers: [...linesOf(CALL), [repeated, second]], body: CALL.body });
      const answer = await connection.answer();
      expect([answer.status, answer.message.error.code, answer.message.id]).toEqual([400, -32020, 1]);
    }
    expect(served.app.get(Desk).calls).toEqual([]);
  });
});

describe.each(ADAPTERS)('the envelope on $name', (adapter) => {
  it('needs no client info, and takes a good one', async () => {
    await using served = await serve(deskApp(), adapter);
    expect((await served.call('echo', { text: 'x' })).status).toBe(200);
    const info = { name: 'tester', version: '1', title: 'T', icons: [] };
    const meta = { 'io.modelcontextprotocol/clientInfo': info, traceparent: 'nonsense', 'com.example/own': 1 };
    expect((await served.call('echo', { text: 'x' }, { meta })).message).toHaveProperty('result');
    const desk = served.app.get(Desk);
    expect(desk.context?.client).toEqual({ protocolVersion: '2026-07-28', capabilities: {}, info });
    expect(desk.context?.meta).toMatchObject({ 'com.example/own': 1 });
  });

  it('passes the trace to handlers, and ignores an invalid trace', async () => {
    await using served = await serve(deskApp(), adapter);
    const desk = served.app.get(Desk);
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const good = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: 'rojo=1', baggage: 'user=alice' };
    expect((await served.call('echo', { text: 'x' }, { meta: good })).message).toHaveProperty('result');
    expect(desk.context?.trace).toEqual({ ...good, traceId, spanId: 'b7ad6b7169203331', sampled: true });
    expect(desk.context?.trace).toBe(desk.context?.trace);
    for (const bad of [
      {},
      { traceparent: 'nonsense', tracestate: 'a=1', baggage: 'b' },
      { traceparent: 5, baggage: [] },
    ]) {
      expect((await served.call('echo', { text: 'x' }, { meta: bad })).message).toHaveProperty('result');
      expect(desk.context?.trace).toEqual({});
      expect(Object.isFrozen(desk.context?.trace)).toBe(true);
    }
  });

  it.each([
    ['client info without a name', { 'io.modelcontextprotocol/clientInfo': { version: '1' } }],
    ['client info that is a text', { 'io.modelcontextprotocol/clientInfo': 'tester' }],
    ['an unknown log level', { 'io.modelcontextprotocol/logLevel': 'loud' }],
    ['a key of a strange form', { '1x/ y': 1 }],
  ])('refuses %s', async (_name, meta) => {
    await using served = await serve(deskApp(), adapter);
    const { status, message } = await served.call('echo', { text: 'x' }, { meta });
    expect([status, message.error.code, message.id]).toEqual([200, -32602, 1]);
    expect(served.app.get(Desk).calls).toEqual([]);
  });

  it('gives three answers to three faults', async () => {
    await using served = await serve(deskApp(), adapter);
    const send = async (meta: Record<string, unknown>, version?: string): Promise<number> => {
      const headers = version === undefined ? {} : { 'mcp-protocol-version': version };
      return (await served.send('server/discover', {}, { meta, headers })).message.error.code;
    };
    const key = 'io.modelcontextprotocol/protocolVersion';
    expect(await send({ [key]: undefined })).toBe(-32602);
    expect(await send({ [key]: '2099-12-31' }, '2099-12-31')).toBe(-32022);
    expect(await send({}, '2025-11-25')).toBe(-32020);
  });
});
