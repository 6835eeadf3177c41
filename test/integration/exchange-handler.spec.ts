import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { isObservable, lastValueFrom, toArray, type Observable } from 'rxjs';

import { McpContext, McpModule, Tool } from '../../lib/index.js';
import { ExchangeHandler } from '../../lib/server/exchange.handler.js';
import type { OutgoingMessage, Refusal } from '../../lib/wire/exchange.js';
import { Gate } from '../support/gate.js';
import { mcpRequest } from '../support/mcp-request.js';
import { checkWireMessage, type WireMessage } from '../support/wire-oracle.js';

const left = new Gate();

@Injectable()
class Steps {
  @Tool({ description: 'Reports two steps' })
  async walk(context: McpContext): Promise<string> {
    await Promise.all([context.progress(1), context.progress(2)]);
    return 'there';
  }

  @Tool({ description: 'Waits until the client has gone' })
  wait({ signal }: McpContext): Promise<void> {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        left.open();
        resolve();
      });
    });
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'steps', version: '1.0.0' })], providers: [Steps] })
class StepsModule {}

/** Its messages, or why it is refused. */
async function handle(body: string): Promise<Observable<OutgoingMessage> | Refusal> {
  const app = await NestFactory.createApplicationContext(StepsModule, { logger: false });
  const handler = app.get(ExchangeHandler, { strict: false });
  const caller = { auth: () => undefined };
  const prepared = await handler.prepare({ caller, body: () => ({ ok: true, bytes: body }) });
  return prepared.kind === 'refused' ? prepared.refusal : handler.execute(prepared);
}

async function messagesOf(body: string): Promise<WireMessage[]> {
  const answer = (await handle(body)) as Observable<OutgoingMessage>;
  expect(isObservable(answer)).toBe(true);
  const messages = await lastValueFrom(answer.pipe(toArray()));
  for (const { written } of messages) written?.();
  return messages.map(({ json }) => JSON.parse(json) as WireMessage);
}

describe('an exchange of another host', () => {
  it('is answered with an Observable of messages, the response last', async () => {
    const { body } = mcpRequest('tools/list');
    const messages = await messagesOf(body);
    for (const message of messages) checkWireMessage(message, 'tools/list');
    expect(messages).toHaveLength(1);
    expect(messages[0]?.result['tools']).toHaveLength(2);
  });

  it('starts its handler at the subscription, and cancels it when that ends', async () => {
    const answer = (await handle(mcpRequest('tools/call', { name: 'wait' }).body)) as Observable<OutgoingMessage>;
    answer.subscribe().unsubscribe();
    await expect(left.opened).resolves.toBeUndefined();
  });

  it('acknowledges events when its host has written them', async () => {
    const { body } = mcpRequest('tools/call', { name: 'walk' }, { meta: { progressToken: 't' } });
    const answer = (await handle(body)) as Observable<OutgoingMessage>;
    const kinds: string[] = [];
    await new Promise<void>((resolve) => {
      answer.subscribe({
        next: ({ kind, written }) => {
          kinds.push(kind);
          written?.();
        },
        complete: resolve,
      });
    });
    expect(kinds).toEqual(['notification', 'notification', 'response']);
  });

  it('is answered at once when it never becomes an operation', async () => {
    const refusal = await handle(JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'tools/list', params: {} }));
    expect(refusal).toMatchObject({ status: 400 });
    expect(JSON.parse((refusal as Refusal).body ?? '')).toMatchObject({ id: 'x', error: { code: -32602 } });
  });

  it('is refused, or simply taken, without messages', async () => {
    expect(await handle('{')).toMatchObject({ status: 400 });
    expect(await messagesOf(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' }))).toEqual([]);
  });
});
