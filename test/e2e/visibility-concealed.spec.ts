import { describe, expect, it } from '@jest/globals';
import {
  Catch,
  ForbiddenException,
  HttpException,
  Injectable,
  Scope,
  UnauthorizedException,
  UseFilters,
  UseGuards,
  type ArgumentsHost,
  type CanActivate,
  type DynamicModule,
  type ExceptionFilter,
  type ExecutionContext,
} from '@nestjs/common';

import { Completion, McpExecutionContext, Prompt, Resource, Tool, type McpAuthOptions } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { ListenedApp } from '../support/listening.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection, type RawAnswer } from '../support/raw-http.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { visibleApp } from '../support/visible-app.js';

/** What Express and Fastify have alike. */
interface Reply {
  header(name: string, value: string | readonly string[]): Reply;
  readonly raw?: { setHeader(name: string, value: string): unknown };
}

const replyOf = (host: ArgumentsHost): Reply => host.switchToHttp().getResponse<Reply>();

/** How the guard ends after it has set headers and told of its progress. */
type Ending = () => boolean | Promise<boolean>;
let end: Ending = () => true;

class TalkativeGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const reply = replyOf(context);
    reply.header('WWW-Authenticate', 'Basic realm="vault"').header('x-guard', 'a');
    reply.header('set-cookie', ['a=b', 'c=d']);
    reply.raw?.setHeader('x-raw', 'a');
    await McpExecutionContext.create(context).getContext().progress(1);
    return end();
  }
}

/** Not a promise, so that nothing gives the answer a turn. */
class SyncGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    replyOf(context).header('x-first', 'a');
    return true;
  }
}

@Catch(HttpException)
class TalkativeFilter implements ExceptionFilter {
  catch(error: HttpException, host: ArgumentsHost): never {
    replyOf(host).header('x-filter', 'a');
    throw error;
  }
}

function appOf(auth: McpAuthOptions, scope = Scope.DEFAULT): DynamicModule {
  @Injectable({ scope })
  @UseGuards(SyncGuard, TalkativeGuard)
  @UseFilters(TalkativeFilter)
  class Vault {
    @Tool({ description: 'd' })
    gold(): string {
      return 'reached';
    }

    @Prompt({ description: 'd', input: { type: 'object', properties: { a: { type: 'string' } } } })
    goldPrompt(): string {
      return 'reached';
    }

    @Completion({ prompt: 'gold_prompt', argument: 'a' })
    complete(): string[] {
      return ['reached'];
    }

    @Resource({ uri: 'vault://gold', description: 'd' })
    goldResource(): string {
      return 'reached';
    }

    @Resource({ uri: 'vault://gold/{path}', description: 'd' })
    goldTemplate(): string {
      return 'reached';
    }
  }
  return visibleApp([Vault], { auth });
}

const REQUESTS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['tools/call', { name: 'gold' }],
  ['resources/read', { uri: 'vault://gold' }],
  ['resources/read', { uri: 'vault://gold/a' }],
  ['prompts/get', { name: 'gold_prompt' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'gold_prompt' }, argument: { name: 'a', value: '' } }],
];

const ENDINGS: readonly (readonly [string, Ending])[] = [
  ['says no', () => false],
  ['says no later', () => new Promise((resolve) => setImmediate(() => resolve(false)))],
  ['throws 401', () => Promise.reject(new UnauthorizedException())],
  ['throws 403', () => Promise.reject(new ForbiddenException({ message: 'no', detail: 'a' }))],
];

async function ask(served: ServedApp, method: string, params: Record<string, unknown>): Promise<RawAnswer> {
  const posted = mcpRequest(method, params, { id: 1, meta: { progressToken: 't' } });
  using connection = await RawConnection.open(served.origin);
  connection.send({ headers: linesOf(posted), body: posted.body });
  return await connection.answer();
}

/** All of an answer but the moment and the name that was asked for. */
const seen = ({ status, headers, body }: RawAnswer, name: string): unknown => ({
  status,
  headers: [...headers].filter(([header]) => header !== 'date'),
  body: body.replaceAll(name, 'NAME'),
});

describe.each(ADAPTERS)('a concealed refusal on $name', (adapter) => {
  describe.each([
    ['the whole app', Scope.DEFAULT],
    ['each request', Scope.REQUEST],
  ])('of a host that is made for %s', (_name, scope) => {
    it.each(ENDINGS)('equals the answer for an unknown name, byte by byte, when a guard %s', async (_how, ending) => {
      await using served = await serve(appOf({ refusals: 'conceal' }, scope), adapter);
      end = ending;
      for (const [method, params] of REQUESTS) {
        const strange = JSON.parse(JSON.stringify(params).replace('gold', 'lead')) as typeof params;
        const refused = await ask(served, method, params);
        const unknown = await ask(served, method, strange);
        expect(seen(refused, 'gold')).toEqual(seen(unknown, 'lead'));
      }
    });
  });

  const watch = (served: ServedApp, uris: readonly string[]): Promise<RawAnswer> =>
    ask(served, 'subscriptions/listen', { notifications: { resourceSubscriptions: uris } });

  it.each(ENDINGS)('of a subscription equals that for an unknown resource, when a guard %s', async (_how, ending) => {
    await using served = await serve(appOf({ refusals: 'conceal' }), adapter);
    end = ending;
    for (const uri of ['vault://gold', 'vault://gold/a', 'VAULT://gold/a', 'vault://gold/%61']) {
      const strange = uri.replace('gold', 'lead');
      const refused = await watch(served, [uri]);
      const unknown = await watch(served, [strange]);
      const both = await watch(served, [strange, uri]);
      expect(seen(refused, 'gold')).toEqual(seen(unknown, 'lead'));
      expect(seen(both, 'gold')).toEqual(seen(unknown, 'lead'));
    }
  });

  it('of a subscription does not depend on guards of other components', async () => {
    @Injectable()
    class Open {
      @Resource({ uri: 'vault://silver', description: 'd' })
      silver(): string {
        return 'reached';
      }
    }
    await using served = await ListenedApp.serve(visibleApp([Open], { auth: { refusals: 'conceal' } }), adapter);
    const unknown = await watch(served, ['vault://lead']);
    expect(unknown.body).toContain('"notifications":{}');
    using stream = await served.listen({ resourceSubscriptions: ['vault://lead', 'vault://silver'] });
    expect(stream.messages[0]?.params?.['notifications']).toEqual({ resourceSubscriptions: ['vault://silver'] });
  });

  it('is the only answer that loses headers', async () => {
    await using served = await serve(appOf({ refusals: 'conceal' }), adapter);
    const names = ['www-authenticate', 'x-guard', 'x-first', 'set-cookie'];
    for (const [ending, filtered] of [
      [() => true, undefined],
      [() => Promise.reject(new HttpException('Too many requests', 429)), 'a'],
    ] as const) {
      end = ending;
      for (const [method, params] of REQUESTS) {
        const { headers } = await ask(served, method, params);
        expect(names.map((name) => headers.get(name))).toEqual(['Basic realm="vault"', 'a', 'a', 'a=b, c=d']);
        expect(headers.get('x-filter')).toBe(filtered);
      }
    }
  });
});

describe.each(ADAPTERS)('an explained refusal on $name', (adapter) => {
  it('keeps what guards and filters have set', async () => {
    await using served = await serve(appOf({}), adapter);
    end = () => false;
    const { headers } = await ask(served, 'prompts/get', { name: 'gold_prompt' });
    expect(headers.get('x-first')).toBe('a');
  });
});
