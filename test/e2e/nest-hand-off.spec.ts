import { IncomingMessage } from 'node:http';

import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Module,
  Req,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
} from '@nestjs/common';

import { Auth, Ctx, McpContext, McpModule, Tool, type McpModuleOptions } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { Gate } from '../support/gate.js';
import { mcpRequest, type RequestParts } from '../support/mcp-request.js';
import { readAnswer, serve, type Answer, type ServedApp } from '../support/served-app.js';
import { shareApp } from '../support/shared-app.js';

type Request = Record<string, unknown> & { readonly headers: Readonly<Record<string, string | undefined>> };

const requestOf = (context: ExecutionContext): Request => context.switchToHttp().getRequest<Request>();

const MARKER = 'MARKER-a1b2c3';

const held = new Map<unknown, Gate>();
const entered = new Map<unknown, Gate>();

const OPEN = { type: 'object', additionalProperties: true } as const;

@Injectable()
class Desk {
  @Tool({ description: 'd', input: OPEN })
  who(@Ctx() context: McpContext, @Auth() auth: unknown): unknown {
    return { context: context.auth ?? null, parameter: auth ?? null };
  }

  @Tool({ description: 'd', input: OPEN })
  async hold(@Ctx() { requestId }: McpContext): Promise<string> {
    entered.get(requestId)?.open();
    await held.get(requestId)?.opened;
    return 'held';
  }
}

function deskModule(options: Partial<McpModuleOptions> = {}): DynamicModule {
  @Module({})
  class DeskModule {}
  return {
    module: DeskModule,
    imports: [McpModule.forRoot({ name: 'desk', version: '1.0.0', ...options })],
    providers: [Desk],
  };
}

interface Attack extends RequestParts {
  readonly query?: string;
  readonly params?: object;
  readonly args?: object;
  /** Beside `params` in the message. */
  readonly message?: object;
}

/** An object whose JSON has this member, whatever the name means in JavaScript. */
const json = (text: string): object => JSON.parse(text) as object;

const inherited = (name: string): readonly object[] => [
  json(`{"__proto__":{"${name}":"${MARKER}"}}`),
  json(`{"constructor":{"prototype":{"${name}":"${MARKER}"}}}`),
  json(`{"__proto__":{"__proto__":{"${name}":"${MARKER}"}}}`),
];

const inHeaders = (name: string): Record<string, string> => ({
  [name]: MARKER,
  [`x-${name}`]: MARKER,
  'x-mcp-auth': MARKER,
  'mcp-auth': MARKER,
  'x-mcp-cancellation-scope': MARKER,
  'x-user': MARKER,
  'remote-user': MARKER,
  'x-remote-user': MARKER,
  'x-forwarded-user': MARKER,
  'x-forwarded-for': MARKER,
  'x-forwarded-client-cert': MARKER,
  forwarded: `for=${MARKER};by=${MARKER}`,
  cookie: `${name}=${MARKER}`,
  authorization: `Bearer ${MARKER}`,
});

/** Every way that a client may try to set a property of the request from outside. */
function attacksOn(name: string): readonly (readonly [string, Attack])[] {
  const value = { [name]: MARKER };
  const queries = [
    `${name}=${MARKER}`,
    `${name}[sub]=${MARKER}`,
    `user=${MARKER}`,
    `__proto__[${name}]=${MARKER}`,
    `__proto__.${name}=${MARKER}`,
    `constructor[prototype][${name}]=${MARKER}`,
    `__proto__=${MARKER}`,
  ];
  return [
    ...Object.entries(inHeaders(name)).map(
      ([header, text]) => [`header ${header}`, { headers: { [header]: text } }] as const,
    ),
    ...queries.map((query) => [`query ${query}`, { query }] as const),
    ['a member of the message', { message: value }],
    ['a member of the parameters', { params: value }],
    ['a member of the metadata', { meta: value }],
    ['a constructor in the metadata', { meta: { constructor: { prototype: value } } }],
    ['a member of the arguments', { args: value }],
    ...inherited(name).flatMap((member) => [
      [`message ${JSON.stringify(member)}`, { message: member }] as const,
      [`parameters ${JSON.stringify(member)}`, { params: member }] as const,
      [`arguments ${JSON.stringify(member)}`, { args: member }] as const,
    ]),
  ];
}

async function attack(
  app: ServedApp,
  tool: string,
  { query, params, args, message, ...parts }: Attack,
): Promise<Answer> {
  const { headers, body } = mcpRequest('tools/call', { name: tool, arguments: { ...args }, ...params }, parts);
  const text = JSON.stringify({ ...(JSON.parse(body) as object), ...message });
  const url = query === undefined ? app.url : `${app.url}?${query}`;
  return readAnswer(await fetch(url, { method: 'POST', headers, body: text }), 'tools/call');
}

function rootOf(value: object): object {
  const parent = Object.getPrototypeOf(value) as object | null;
  return parent === null ? value : rootOf(parent);
}

const NOBODY = { structuredContent: { context: null, parameter: null } };

describe('requests that the app hands to the endpoint', () => {
  afterEach(() => {
    held.clear();
    entered.clear();
  });

  describe.each(ADAPTERS)('who calls, on $name', (adapter) => {
    describe.each([
      ['mcpAuth', {}],
      ['user', { auth: { property: 'user' } }],
    ] as const)('read from %s', (property, options) => {
      const shared = shareApp(deskModule(options), adapter);

      it.each(attacksOn(property))('is not set by %s', async (_what, parts) => {
        const answer = await attack(shared.app, 'who', parts);
        expect(answer.message.result).toMatchObject(NOBODY);
        expect(({} as Record<string, unknown>)[property]).toBeUndefined();
        expect(JSON.stringify([...answer.headers]) + answer.text).not.toContain(MARKER);
        expect(JSON.stringify(shared.log.lines)).not.toContain(MARKER);
      });

      // No name of the protocol begins like that.
      it('is not set by the prototype of the metadata, which is refused', async () => {
        const meta = json(`{"__proto__":{"${property}":"${MARKER}"}}`) as Record<string, unknown>;
        const answer = await attack(shared.app, 'who', { meta });
        expect(answer.message.error.code).toBe(-32602);
        expect(({} as Record<string, unknown>)[property]).toBeUndefined();
        expect(answer.text).not.toContain(MARKER);
      });

      it('is not set by a modified prototype', async () => {
        // Node's own objects have another root than those of a test file.
        const roots = [{}, Object.getPrototypeOf(IncomingMessage.prototype) as object].map(rootOf);
        for (const root of roots) Reflect.defineProperty(root, property, { value: MARKER, configurable: true });
        try {
          expect(({} as Record<string, unknown>)[property]).toBe(MARKER);
          expect((await shared.app.call('who')).message.result).toMatchObject(NOBODY);
        } finally {
          for (const root of roots) Reflect.deleteProperty(root, property);
        }
      });
    });

    it.each<[string, Partial<McpModuleOptions>, string]>([
      ['mcpAuth', {}, 'mcpAuth'],
      ['the property of the options', { auth: { property: 'user' } }, 'user'],
    ])('is told by a guard that sets %s', async (_what, options, property) => {
      const guard: CanActivate = {
        canActivate: (context) => {
          requestOf(context)[property] = { sub: 'ada' };
          return true;
        },
      };
      await using app = await serve(deskModule({ ...options, http: { guards: [guard] } }), adapter);
      const own = { context: { sub: 'ada' }, parameter: { sub: 'ada' } };
      expect((await app.call('who')).message.result).toMatchObject({ structuredContent: own });
      for (const [what, parts] of attacksOn(property)) {
        const { result } = (await attack(app, 'who', parts)).message;
        expect([what, result.structuredContent]).toEqual([what, own]);
      }
    });

    it('is set by a middleware', async () => {
      await using app = await serve(deskModule(), adapter, {
        configure: (nest) =>
          void nest.use((request: Record<string, unknown>, _response: unknown, next: () => void) => {
            request['mcpAuth'] = 'ada';
            next();
          }),
      });
      expect((await app.call('who')).message.result).toMatchObject({ structuredContent: { context: 'ada' } });
    });
  });

  /** Everybody is known, but who says `x-scope` has a scope too. */
  class KnowingGuard implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const request = requestOf(context);
      request['mcpAuth'] = { sub: 'ada' };
      if (request.headers['x-scope'] !== undefined) request['mcpCancellationScope'] = request.headers['x-scope'];
      return true;
    }
  }

  /** Two requests with one id at the same time: within a scope the second is refused. */
  async function twice(app: ServedApp, id: string, parts: Attack): Promise<readonly number[]> {
    const [inside, gate] = [new Gate(), new Gate()];
    entered.set(id, inside);
    held.set(id, gate);
    const first = attack(app, 'hold', { ...parts, id });
    await inside.opened;
    held.delete(id);
    const second = await attack(app, 'hold', { ...parts, id });
    gate.open();
    return [(await first).status, second.status];
  }

  describe.each(ADAPTERS)('the scope of cancellations on $name', (adapter) => {
    const shared = shareApp(deskModule({ http: { guards: [KnowingGuard] } }), adapter);

    it('is set by a guard', async () => {
      expect(await twice(shared.app, 'own', { headers: { 'x-scope': 'tab' } })).toEqual([200, 409]);
    });

    it.each(attacksOn('mcpCancellationScope'))('is not set by %s', async (_what, parts) => {
      expect(await twice(shared.app, 'same', parts)).toEqual([200, 200]);
    });
  });

  const SECRET = 'SECRET-d4e5f6';

  class SecretGuard implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const request = requestOf(context);
      // A class instance, so that scopes cannot be compared and the library has something to say about it.
      const hasMap = request.headers['x-map'] !== undefined;
      request['mcpAuth'] = hasMap ? new Map([[SECRET, SECRET]]) : { sub: SECRET, token: SECRET };
      request['mcpCancellationScope'] = `tab of ${SECRET}`;
      return true;
    }
  }

  class Refusing implements CanActivate {
    canActivate(): boolean {
      throw new UnauthorizedException('not like this');
    }
  }

  @Injectable()
  class Failing {
    @Tool({ description: 'd' })
    fails(): never {
      throw new Error('broken');
    }

    @Tool({ description: 'd', output: { type: 'object', required: ['a'] } })
    misfits(): object {
      return { b: 1 };
    }

    @Tool({ description: 'd', input: { type: 'object', required: ['a'] } })
    demands(): void {}

    @Tool({ description: 'd' })
    @UseGuards(Refusing)
    refused(): void {}

    @Tool({ description: 'd', timeoutMs: 1 })
    slow(@Ctx() { signal }: McpContext): Promise<void> {
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    }
  }

  @Module({
    imports: [McpModule.forRoot({ name: 'secret', version: '1.0.0', http: { guards: [SecretGuard] } })],
    providers: [Desk, Failing],
  })
  class SecretModule {}

  describe.each(ADAPTERS)('what a guard has left about the caller, on $name', (adapter) => {
    it('is in no answer and no line of the log', async () => {
      const log = new CapturedLog();
      await using app = await serve(SecretModule, adapter, { configure: (nest) => log.attach(nest) });
      const answers: Answer[] = [];
      for (const name of ['fails', 'misfits', 'demands', 'refused', 'slow', 'missing']) {
        answers.push(await app.call(name), await app.call(name, {}, { headers: { 'x-map': '1' } }));
      }
      answers.push(await app.send('nothing/such'), await app.post({ ...mcpRequest('tools/list'), body: '{' }));
      const [inside, gate] = [new Gate(), new Gate()];
      entered.set(1, inside);
      held.set(1, gate);
      const first = app.call('hold');
      await inside.opened;
      answers.push(await app.call('hold'));
      gate.open();
      answers.push(await first);
      const statuses = [200, 200, 200, 200, 200, 200, 401, 401, 504, 504, 200, 200, 404, 400, 409, 200];
      expect(answers.map(({ status }) => status)).toEqual(statuses);
      for (const { headers, text } of answers) expect(JSON.stringify([...headers]) + text).not.toContain(SECRET);
      expect(log.texts('error').join()).toContain('broken');
      expect(log.texts('warn').join()).toContain('cannot be compared');
      expect(JSON.stringify(log.lines)).not.toContain(SECRET);
    });
  });

  const seen: { readonly where: string; readonly request: unknown }[] = [];

  /** An ordinary guard of an app, which knows nothing of MCP. */
  @Injectable()
  class HttpGuard implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const request = requestOf(context);
      seen.push({ where: context.getType<string>(), request });
      const [scheme, name] = (request.headers['authorization'] ?? '').split(' ');
      if (scheme !== 'Bearer' || name === undefined) throw new UnauthorizedException('a token, please');
      request['user'] = { name };
      return true;
    }
  }

  class Watching implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      seen.push({ where: 'endpoint', request: requestOf(context) });
      return true;
    }
  }

  @Injectable()
  class Guarded {
    @Tool({ description: 'd' })
    @UseGuards(HttpGuard)
    me(@Req() request: Request, @Ctx() context: McpContext): unknown {
      seen.push({ where: 'handler', request }, { where: 'context', request: context.request });
      return { user: request['user'], auth: context.auth };
    }
  }

  @Module({
    imports: [
      McpModule.forRoot({
        name: 'ordinary',
        version: '1.0.0',
        auth: { property: 'user' },
        http: { guards: [Watching] },
      }),
    ],
    providers: [Guarded],
  })
  class OrdinaryModule {}

  describe.each(ADAPTERS)('an ordinary guard of HTTP on a tool, on $name', (adapter) => {
    it('works as it is, with the request that the guards of the endpoint saw', async () => {
      await using app = await serve(OrdinaryModule, adapter);
      seen.length = 0;
      const answer = await app.call('me', {}, { headers: { authorization: 'Bearer ada' } });
      const user = { name: 'ada' };
      expect(answer.message.result).toMatchObject({ structuredContent: { user, auth: user } });
      expect(seen.map(({ where }) => where)).toEqual(['endpoint', 'mcp', 'handler', 'context']);
      for (const { request } of seen) expect(request).toBe(seen[0]?.request);
      const refused = await app.call('me', {}, { id: 'abc' });
      expect([refused.status, refused.headers.get('www-authenticate'), refused.message]).toMatchObject([
        401,
        'Bearer',
        { id: 'abc', error: { code: 401, message: 'a token, please' } },
      ]);
    });
  });
});
