import { describe, expect, it } from '@jest/globals';
import {
  Catch,
  HttpException,
  Injectable,
  Module,
  Res,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { tap, type Observable } from 'rxjs';

import { Ctx, McpContext, McpModule, Prompt, Resource, Tool } from '../../lib/index.js';
import { ADAPTERS, EXPRESS, FASTIFY } from '../support/adapters.js';
import { Gate } from '../support/gate.js';
import type { Answer } from '../support/served-app.js';
import { shareApp } from '../support/shared-app.js';

type Values = string | number | readonly string[];

/** What Express and Fastify have alike. */
interface Reply {
  header(name: string, value: Values): Reply;
  getHeader(name: string): unknown;
  removeHeader(name: string): unknown;
  status(code: number): Reply;
  type(mediaType: string): Reply;
  send(body: unknown): unknown;
  readonly headersSent?: boolean;
  readonly raw?: { setHeader(name: string, value: Values): unknown };
}

/** What only one of them has. */
interface ExpressReply extends Reply {
  setHeader(name: string, value: Values): ExpressReply;
  set(fields: object | string, value?: Values): ExpressReply;
  append(name: string, value: Values): ExpressReply;
  vary(field: string): ExpressReply;
  cookie(name: string, value: string, options: object): ExpressReply;
  clearCookie(name: string): ExpressReply;
  hasHeader(name: string): boolean;
  setHeaders(fields: Map<string, string>): ExpressReply;
  end(body: string): unknown;
  redirect(url: string): unknown;
  statusCode: number;
}

interface FastifyReply extends Reply {
  headers(fields: object): FastifyReply;
  hasHeader(name: string): boolean;
  getHeaders(): object;
  hijack(): FastifyReply;
  code(status: number): FastifyReply;
  redirect(url: string): unknown;
}

const replyOf = (host: ArgumentsHost): Reply => host.switchToHttp().getResponse<Reply>();

/** As a limiter of requests does it. */
class Limiter implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    replyOf(context).header('X-RateLimit-Remaining', 3).header('X-From-Guard', 'guard');
    return true;
  }
}

class Exhausted implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    replyOf(context).header('Retry-After', 17);
    throw new HttpException('Too many requests', 429);
  }
}

class Around implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    replyOf(context).header('x-before', 'before');
    return next.handle().pipe(tap(() => replyOf(context).header('x-after', 'after')));
  }
}

/** As an app writes it for its routes. */
@Catch()
class Answering implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost): unknown {
    return replyOf(host).status(500).header('x-filter', 'filter').type('text/plain').send({ own: error.message });
  }
}

/** What this test does with the response next. */
let act: (response: never) => unknown = () => undefined;
const held = new Map<string, Gate>();

@Injectable()
class Responding {
  @Tool({ description: 'd' })
  @UseGuards(Limiter)
  @UseInterceptors(Around)
  all(@Res() response: Reply): string {
    response.header('x-handler', 'handler');
    return 'done';
  }

  @Tool({ description: 'd' })
  @UseGuards(Limiter)
  async reporting(@Ctx() context: McpContext, @Res() response: Reply): Promise<string> {
    response.header('x-handler', 'handler');
    await context.progress(1);
    return 'done';
  }

  @Tool({ description: 'd' })
  act(@Res() response: Reply): string {
    return JSON.stringify(act(response as never) ?? null);
  }

  @Tool({ description: 'd' })
  async late(@Ctx() context: McpContext, @Res() response: Reply): Promise<unknown> {
    await context.progress(1);
    return act(response as never);
  }

  @Tool({ description: 'd' })
  @UseFilters(Answering)
  async filtered(@Ctx() context: McpContext): Promise<never> {
    await context.progress(1);
    throw new HttpException('the cause', 400);
  }

  @Tool({ description: 'd' })
  @UseGuards(Exhausted)
  exhausted(): void {}

  @Resource({ uri: 'docs://a', description: 'd' })
  @UseGuards(Limiter)
  resource(): string {
    return 'done';
  }

  @Prompt({ description: 'd' })
  @UseGuards(Limiter)
  prompt(): string {
    return 'done';
  }

  @Tool({ description: 'd', input: { type: 'object', properties: { name: { type: 'string' } } } })
  async parallel({ name }: { name: string }, @Res() response: Reply): Promise<string> {
    response.header(`x-${name}`, name);
    await held.get(name)?.opened;
    response.header('x-name', name);
    return name;
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'responding', version: '1.0.0' })], providers: [Responding] })
class RespondingModule {}

const headersOf = (answer: Answer, ...names: readonly string[]): (string | null)[] =>
  names.map((name) => answer.headers.get(name));

const REPORTS = { meta: { progressToken: 't' } };

describe.each(ADAPTERS)('the response on $name', (adapter) => {
  const shared = shareApp(RespondingModule, adapter);

  it('takes headers of guards, interceptors and handlers', async () => {
    const answer = await shared.app.call('all');
    const names = ['x-ratelimit-remaining', 'x-from-guard', 'x-before', 'x-handler', 'x-after'];
    expect(headersOf(answer, ...names)).toEqual(['3', 'guard', 'before', 'handler', 'after']);
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0], answer.message.result]).toMatchObject([
      200,
      'application/json',
      { content: [{ text: 'done' }] },
    ]);
  });

  it.each([
    ['resources/read', { uri: 'docs://a' }],
    ['prompts/get', { name: 'prompt' }],
  ])('takes them for %s', async (method, params) => {
    expect(headersOf(await shared.app.send(method, params), 'x-from-guard')).toEqual(['guard']);
  });

  it('takes them for a stream', async () => {
    const answer = await shared.app.call('reporting', {}, REPORTS);
    expect(headersOf(answer, 'content-type', 'x-from-guard', 'x-handler')).toEqual([
      'text/event-stream',
      'guard',
      'handler',
    ]);
    expect(answer.messages).toHaveLength(2);
  });

  it('takes them for a stream of the answer alone', async () => {
    const answer = await shared.app.call('all', {}, { headers: { accept: 'text/event-stream' } });
    expect(headersOf(answer, 'content-type', 'x-before', 'x-after')).toEqual(['text/event-stream', 'before', 'after']);
  });

  it('includes the headers of a limiter that refuses', async () => {
    const answer = await shared.app.call('exhausted');
    expect(headersOf(answer, 'retry-after')).toEqual(['17']);
    expect(answer.message.result).toMatchObject({ isError: true, content: [{ text: 'Too many requests' }] });
  });

  it('belongs to its call, with concurrent calls', async () => {
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) held.set(name, new Gate());
    const answers = names.map((name) => shared.app.call('parallel', { name }, { id: name }));
    for (const name of [...names].reverse()) held.get(name)?.open();
    for (const [index, answer] of (await Promise.all(answers)).entries()) {
      const own = names[index];
      expect(headersOf(answer, 'x-name', ...names.map((name) => `x-${name}`))).toEqual([
        own,
        ...names.map((name) => (name === own ? name : null)),
      ]);
    }
  });

  it('keeps status, body and end, and what describes them, to itself', async () => {
    act = (response: Reply) => {
      response.status(418).type('text/plain').header('Content-Type', 'text/html').header('content-length', 3);
      response.header('Transfer-Encoding', 'gzip').header('connection', 'close').header('content-encoding', 'gzip');
      response.removeHeader('content-type');
      response.send('own');
      return 'done';
    };
    const answer = await shared.app.call('act');
    expect([answer.status, answer.message.result]).toMatchObject([200, { content: [{ text: '"done"' }] }]);
    expect(answer.headers.get('content-type')?.split(';')[0]).toBe('application/json');
    expect(headersOf(answer, 'transfer-encoding', 'content-encoding', 'content-length')).toEqual([
      null,
      null,
      String(Buffer.byteLength(answer.text)),
    ]);
  });

  it('keeps what makes a stream', async () => {
    act = (response: Reply) => void response.header('Cache-Control', 'max-age=60').header('x-accel-buffering', 'yes');
    const answer = await shared.app.call('act', {}, { headers: { accept: 'text/event-stream' } });
    expect(headersOf(answer, 'cache-control', 'x-accel-buffering')).toEqual(['no-cache, no-transform', 'no']);
    expect(headersOf(await shared.app.call('act'), 'cache-control')).toEqual(['max-age=60']);
  });

  it('reads and removes headers that were set', async () => {
    act = (response: Reply) => {
      response.header('x-kept', 'a').header('x-gone', 'b');
      response.removeHeader('x-gone');
      return [response.getHeader('x-kept'), response.getHeader('x-gone') ?? null];
    };
    const answer = await shared.app.call('act');
    expect(answer.message.result).toMatchObject({ content: [{ text: '["a",null]' }] });
    expect(headersOf(answer, 'x-kept', 'x-gone')).toEqual(['a', null]);
  });

  it('refuses a header once the stream has begun, and says what to do', async () => {
    let thrown: unknown;
    act = (response: Reply) => {
      try {
        response.header('X-Late', 'a');
      } catch (error) {
        thrown = error;
      }
      return 'done';
    };
    const answer = await shared.app.call('late', {}, REPORTS);
    expect(answer.message.result).toMatchObject({ content: [{ text: 'done' }] });
    expect(thrown).toMatchObject({
      code: 'MCP_HEADERS_SENT',
      message: expect.stringMatching(/^The header "X-Late" cannot be set any more.* before the first progress or log/),
    });
    expect(headersOf(answer, 'x-late')).toEqual([null]);
    // Without a token nothing is streamed, so there is still time.
    expect(headersOf(await shared.app.call('late'), 'x-late')).toEqual(['a']);
  });

  it('ends the stream with an error for who does not expect that', async () => {
    act = (response: Reply) => response.header('X-Late', 'a');
    const answer = await shared.app.call('late', {}, REPORTS);
    expect([answer.status, answer.messages.length, answer.message.error.code]).toEqual([200, 2, -32603]);
    expect(shared.log.texts('error')).toEqual([expect.stringContaining('The header "X-Late" cannot be set any more')]);
    expect((await shared.app.call('all')).status).toBe(200);
  });

  it('keeps the error that a late filter was about', async () => {
    const answer = await shared.app.call('filtered', {}, REPORTS);
    expect(answer.message.result).toMatchObject({ isError: true, content: [{ text: 'the cause' }] });
    const early = await shared.app.call('filtered');
    expect([headersOf(early, 'x-filter'), early.message.result]).toMatchObject([['filter'], { isError: true }]);
  });

  it.each(['a\r\nx-injected: b', '\u0100'])('refuses the value %j', async (value) => {
    act = (response: Reply) => response.header('x-value', value);
    const answer = await shared.app.call('act');
    expect([answer.status, answer.message.error.code]).toEqual([200, -32603]);
    expect(headersOf(answer, 'x-value', 'x-injected')).toEqual([null, null]);
  });
});

describe('the response of Express', () => {
  const shared = shareApp(RespondingModule, EXPRESS);

  it('takes headers by each of its methods', async () => {
    act = (response: ExpressReply) => {
      response.setHeader('x-a', 'a').set('x-b', 'b').set({ 'x-c': 'c', 'content-type': 'text/html' });
      response
        .append('x-d', 'd')
        .append('x-d', 'e')
        .vary('x-kind')
        .setHeaders(new Map([['x-f', 'f']]));
      response.cookie('g', 'h', { httpOnly: true }).clearCookie('i');
      response.statusCode = 404;
      response.redirect('/');
      response.end('own');
      return response.hasHeader('x-a');
    };
    const answer = await shared.app.call('act');
    expect(answer.message.result).toMatchObject({ content: [{ text: 'true' }] });
    expect(headersOf(answer, 'x-a', 'x-b', 'x-c', 'x-d', 'vary', 'x-f', 'location')).toEqual([
      'a',
      'b',
      'c',
      'd, e',
      'x-kind',
      'f',
      null,
    ]);
    expect(answer.headers.getSetCookie()).toEqual([
      'g=h; Path=/; HttpOnly',
      'i=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    ]);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  });
});

describe('the reply of Fastify', () => {
  const shared = shareApp(RespondingModule, FASTIFY);

  it.each([
    ['in JSON', 'application/json'],
    ['in a stream', 'text/event-stream'],
  ])('takes headers by each of its methods, %s', async (_how, accept) => {
    act = (response: FastifyReply) => {
      response.header('x-a', 'a');
      response.headers({ 'x-b': 'b', 'content-type': 'text/html' });
      response.raw?.setHeader('x-c', 'c');
      response.header('set-cookie', ['d=e', 'f=g']);
      response.hijack().code(404);
      response.redirect('/');
      return [response.hasHeader('x-a'), Object.keys(response.getHeaders()).includes('x-b')];
    };
    const answer = await shared.app.call('act', {}, { headers: { accept } });
    expect(answer.message.result).toMatchObject({ content: [{ text: '[true,true]' }] });
    expect(headersOf(answer, 'x-a', 'x-b', 'x-c', 'location')).toEqual(['a', 'b', 'c', null]);
    expect(answer.headers.getSetCookie()).toEqual(['d=e', 'f=g']);
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, accept]);
  });
});
