import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';

import { InMemoryStateUseStore, McpExecutor, type McpModuleOptions } from '../../lib/index.js';
import { ADAPTERS, EXPRESS } from '../support/adapters.js';
import { AskingDesk, askingApp } from '../support/asking-desk.module.js';
import { CapturedLog } from '../support/captured-log.js';
import { accept, RoundClient, textOf } from '../support/rounds.js';
import { serve, type ServedApp } from '../support/served-app.js';

const keyOf = (id: string): { id: string; secret: string } => ({ id, secret: `${id} is a secret of many characters` });

/** Whoever the header names. */
const guards = [
  {
    canActivate: (context: ExecutionContext): boolean => {
      const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; mcpAuth?: unknown }>();
      const { 'x-caller': caller } = request.headers;
      if (caller !== undefined) request.mcpAuth = JSON.parse(caller);
      return true;
    },
  },
];

const REFUSED = { code: -32602, message: 'requestState cannot be used for this request' };
const responses = { consent: accept({ name: 'Ada' }) };

const as = (caller?: object | string): { headers: Record<string, string> } => ({
  headers: caller === undefined ? {} : { 'x-caller': JSON.stringify(caller) },
});

const transfer = (app: ServedApp, args: object = { amount: 5 }, parts: object = {}): RoundClient =>
  RoundClient.tool(app, 'transfer', args, parts);

describe.each(ADAPTERS)('the state of a call on $name', (adapter) => {
  const start = (options: Partial<McpModuleOptions> = {}, log?: CapturedLog): Promise<ServedApp> =>
    serve(askingApp({ http: { guards }, ...options }), adapter, { configure: (app) => log?.attach(app) });

  it('is refused with the same message for every defect, before the handler runs', async () => {
    await using app = await start();
    const { state } = await transfer(app).round();
    const { ran } = app.app.get(AskingDesk);
    ran.length = 0;
    const middle = Math.floor(state.length / 2);
    const wrong = [
      `${state}-TAMPERED`,
      state.slice(0, -1),
      `${state.slice(0, middle)}${state[middle] === 'A' ? 'B' : 'A'}${state.slice(middle + 1)}`,
      `${state}.${state}`,
      '',
      'x'.repeat(16_385),
      '\u{1F98A}',
    ];
    for (const token of wrong) {
      const { message } = await transfer(app).send({ responses, state: token });
      expect(message.error).toEqual(REFUSED);
    }
    for (const token of [5, null, {}]) {
      const { message } = await transfer(app).send({ responses, state: token });
      expect(message.error).toMatchObject({ code: -32602, message: 'requestState must be a string' });
    }
    expect(ran).toEqual([]);
  });

  it.each<[string, object]>([
    ['another value', { amount: 6 }],
    ['the same value, written otherwise', { amount: 5, note: 0 }],
    ['another member', { amount: 5, note: { _meta: {} } }],
    ['another order of a list', { amount: 5, note: [2, 1] }],
  ])('is of its arguments alone: %s', async (_what, args) => {
    await using app = await start();
    const { state } = await transfer(app, { amount: 5, note: [1, 2] }).round();
    expect((await transfer(app, args).send({ responses, state })).message.error).toEqual(REFUSED);
    const own = await transfer(app, { note: [1, 2], amount: 5 }).send({ responses, state });
    expect(textOf(own)).toBe('code-5 by Ada');
  });

  it('distinguishes 1 from 1.0, and accepts members in another order', async () => {
    await using app = await start();
    const { state } = await transfer(app, { amount: 1 }).round();
    const post = async (text: string): Promise<unknown> => {
      const { headers, body } = rawTransfer(text, state);
      const { message } = await app.post({ headers, body }, 'tools/call');
      return message.error ?? message.result?.['content'];
    };
    expect(await post('{"amount":1.0}')).toEqual(REFUSED);
    expect(await post('{"amount":1e0}')).toEqual(REFUSED);
    expect(await post('{ "amount" : 1 }')).toMatchObject([{ text: 'code-1 by Ada' }]);
  });

  it('is of its method, component and caller alone', async () => {
    await using app = await start();
    const ada = { sub: 'ada', iss: 'a', exp: 1 };
    const { state } = await transfer(app, { amount: 5 }, as(ada)).round();
    const send = async (client: RoundClient): Promise<unknown> =>
      (await client.send({ responses, state })).message.error;
    expect(await send(RoundClient.tool(app, 'refund', { amount: 5 }, as(ada)))).toEqual(REFUSED);
    expect(await send(new RoundClient(app, 'prompts/get', { name: 'essay' }, as(ada)))).toEqual(REFUSED);
    for (const other of [undefined, { sub: 'eve', iss: 'a' }, { sub: 'ada', iss: 'b' }, 'ada', { id: 'ada' }]) {
      expect(await send(transfer(app, { amount: 5 }, as(other)))).toEqual(REFUSED);
    }
    const renewed = { ...ada, exp: 2, scope: 'more' };
    const again = transfer(app, { amount: 5 }, { ...as(renewed), id: 'another', meta: { traceparent: 'x' } });
    expect(textOf(await again.send({ responses, state }))).toBe('code-5 by Ada');
  });

  it('asks who a caller is where an app says how', async () => {
    const principal = (auth: unknown): string | undefined => (auth as { tenant?: string } | undefined)?.tenant;
    await using app = await start({ requestState: { principal } });
    const { state } = await transfer(app, { amount: 5 }, as({ sub: 'a', tenant: 't' })).round();
    const other = await transfer(app, { amount: 5 }, as({ sub: 'b', tenant: 'u' })).send({ responses, state });
    expect(other.message.error).toEqual(REFUSED);
    const same = await transfer(app, { amount: 5 }, as({ sub: 'b', tenant: 't' })).send({ responses, state });
    expect(textOf(same)).toBe('code-5 by Ada');
  });

  it('opens at every instance that has the keys, the new one first', async () => {
    await using old = await start({ requestState: { keys: [keyOf('old')] } });
    await using both = await start({ requestState: { keys: [keyOf('new'), keyOf('old')] } });
    await using other = await start({ requestState: { keys: [keyOf('other')] } });
    const { state } = await transfer(old).round();
    expect(textOf(await transfer(both).send({ responses, state }))).toBe('code-5 by Ada');
    expect((await transfer(other).send({ responses, state })).message.error).toEqual(REFUSED);
    const { state: newer } = await transfer(both).round();
    expect((await transfer(old).send({ responses, state: newer })).message.error).toEqual(REFUSED);
  });

  it('does not open at another app that has the same keys', async () => {
    const requestState = { keys: [keyOf('one')] };
    await using app = await start({ requestState });
    await using other = await start({ requestState, name: 'asking elsewhere' });
    const { state } = await transfer(app).round();
    expect((await transfer(other).send({ responses, state })).message.error).toEqual(REFUSED);
    expect(textOf(await transfer(app).send({ responses, state }))).toBe('code-5 by Ada');
  });

  it.each(['nothing', 'garbage', 'a good state'])('is not looked for beside 100,000 answers: %s', async (what) => {
    await using app = await start();
    const { state } = await transfer(app).round();
    const { ran } = app.app.get(AskingDesk);
    ran.length = 0;
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [index, {}]));
    const sent = {
      responses: many,
      ...(what === 'nothing' ? {} : { state: what === 'garbage' ? `${state}A` : state }),
    };
    const { message } = await transfer(app).send(sent);
    expect(message.error).toEqual({ code: -32602, message: 'inputResponses must have at most 1000 members' });
    expect(ran).toEqual([]);
  });

  it('does not open at another server of the app', async () => {
    const requestState = { keys: [keyOf('one')] };
    await using app = await start({ requestState });
    await using signed = await start({ requestState: { ...requestState, mode: 'signed' } });
    const { state } = await transfer(app).round();
    expect((await transfer(signed).send({ responses, state })).message.error).toEqual(REFUSED);
    const readable = await transfer(signed).round();
    expect(textOf(await transfer(signed).send({ responses, state: readable.state }))).toBe('code-5 by Ada');
  });

  it('expires', async () => {
    await using app = await start({ requestState: { ttlMs: 1 } });
    const { state } = await transfer(app).round();
    const now = Date.now();
    while (Date.now() <= now + 1) await new Promise((resolve) => setImmediate(resolve));
    expect((await transfer(app).send({ responses, state })).message.error).toEqual(REFUSED);
  });

  it('is used as often as it comes, or once', async () => {
    await using app = await start();
    const { state } = await transfer(app).round();
    for (let time = 0; time < 2; time += 1) {
      expect(textOf(await transfer(app).send({ responses, state }))).toBe('code-5 by Ada');
    }
    await using strict = await start({ requestState: { useStore: new InMemoryStateUseStore() } });
    const once = await transfer(strict).round();
    const answers = await Promise.all([
      transfer(strict).send({ responses, state: once.state }),
      transfer(strict).send({ responses, state: once.state }),
    ]);
    expect(answers.map(({ message }) => message.error).filter((error) => error !== undefined)).toEqual([REFUSED]);
  });

  it('frees the place of the call while the client thinks', async () => {
    await using app = await start();
    await transfer(app).round();
    expect(app.app.get(McpExecutor, { strict: false }).stats()).toMatchObject({ running: 0, queued: 0 });
  });

  it('is warned of once where its key is of this process alone', async () => {
    const log = new CapturedLog();
    await using app = await start({}, log);
    const about = (): string[] => log.texts('warn').filter((text) => text.includes('MCP_REQUEST_STATE_KEYS'));
    expect(about()).toEqual([]);
    await transfer(app).round();
    await transfer(app).round();
    expect(about()).toHaveLength(1);
    const quiet = new CapturedLog();
    await using keyed = await start({ requestState: { keys: [keyOf('one')] } }, quiet);
    await transfer(keyed).round();
    expect(quiet.texts('warn').filter((text) => text.includes('MCP_REQUEST_STATE_KEYS'))).toEqual([]);
  });
});

describe('keys of the environment', () => {
  it('are taken where the options have none', async () => {
    process.env['MCP_REQUEST_STATE_KEYS'] = `env:${keyOf('env').secret}`;
    try {
      await using one = await serve(askingApp(), EXPRESS);
      await using other = await serve(askingApp({ requestState: { keys: [keyOf('env')] } }), EXPRESS);
      const { state } = await transfer(one).round();
      expect(textOf(await transfer(other).send({ responses, state }))).toBe('code-5 by Ada');
    } finally {
      delete process.env['MCP_REQUEST_STATE_KEYS'];
    }
  });
});

/** A repeated call whose arguments are exactly this text. */
function rawTransfer(args: string, state: string): { headers: Record<string, string>; body: string } {
  const meta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`;
  const answers = JSON.stringify(responses);
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'transfer',
    },
    body: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"requestState":"${state}","inputResponses":${answers},"arguments":${args},"name":"transfer","_meta":${meta}}}`,
  };
}
