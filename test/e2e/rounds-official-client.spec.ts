import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { ADAPTERS } from '../support/adapters.js';
import { askingApp } from '../support/asking-desk.module.js';
import { serve, type ServedApp } from '../support/served-app.js';

const requestState = { keys: [{ id: 'shared', secret: 'a secret that both instances have' }] };

const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** Sends every other request to the other instance, as a balancer would. */
function alternate(urls: readonly string[]): typeof fetch {
  let turn = 0;
  return (_url, init) => {
    const url = urls[turn % urls.length] ?? '';
    turn += 1;
    return fetch(url, init);
  };
}

describe.each(ADAPTERS)('rounds with the official client on $name', (adapter) => {
  let first: ServedApp;
  let second: ServedApp;

  beforeAll(async () => {
    first = await serve(askingApp({ requestState }), adapter);
    second = await serve(askingApp({ requestState }), adapter);
  });

  afterAll(async () => {
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
  });

  async function connect(urls: readonly string[], autoFulfill: boolean): Promise<Client> {
    const client = new Client(
      { name: 'spec', version: '1.0.0' },
      {
        capabilities: CAPABILITIES,
        versionNegotiation: { mode: { pin: '2026-07-28' } },
        inputRequired: { autoFulfill },
      },
    );
    client.setRequestHandler('elicitation/create', ({ params }) =>
      'url' in params ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada' } },
    );
    client.setRequestHandler('sampling/createMessage', () => ({
      role: 'assistant',
      content: { type: 'text', text: 'Roses' },
      model: 'muse-1',
    }));
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home/ada' }] }));
    await client.connect(new StreamableHTTPClientTransport(new URL(urls[0] ?? ''), { fetch: alternate(urls) }));
    return client;
  }

  it.each([1, 2])('are answered by its handlers, with %d instances', async (instances) => {
    const client = await connect([first.url, second.url].slice(0, instances), true);
    const { content } = await client.callTool({ name: 'interview', arguments: {} });
    expect(content).toEqual([{ type: 'text', text: 'Ada, muse-1, 1 roots, accept' }]);
    expect(await client.callTool({ name: 'transfer', arguments: { amount: 3 } })).toMatchObject({
      content: [{ text: 'code-3 by Ada' }],
    });
    const { messages } = await client.getPrompt({ name: 'essay' });
    expect(messages).toMatchObject([{ content: { text: 'An essay on Ada' } }]);
    const { contents } = await client.readResource({ uri: 'desk://drawer' });
    expect(contents).toMatchObject([{ text: 'The drawer is open' }]);
    await client.close();
  });

  it('are answered by hand', async () => {
    const client = await connect([first.url, second.url], false);
    const call = (more: object = {}): Promise<RoundResult> =>
      client.callTool(
        { name: 'transfer', arguments: { amount: 4 }, ...more },
        {
          allowInputRequired: true,
        },
      );
    const asked = await call();
    expect(asked.resultType).toBe('input_required');
    expect(Object.keys(asked.inputRequests ?? {})).toEqual(['consent']);
    const done = await call({
      requestState: asked.requestState,
      inputResponses: { consent: { action: 'decline' } },
    });
    expect(done.content).toEqual([{ type: 'text', text: 'Nothing: decline' }]);
    await client.close();
  });
});

interface RoundResult {
  readonly resultType?: string;
  readonly inputRequests?: object;
  readonly requestState?: string;
  readonly content?: unknown;
}
