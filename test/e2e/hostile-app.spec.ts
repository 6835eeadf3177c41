import { createRequire } from 'node:module';

import { describe, expect, it } from '@jest/globals';
import {
  Catch,
  ClassSerializerInterceptor,
  HttpStatus,
  Injectable,
  RequestMethod,
  UnauthorizedException,
  ValidationPipe,
  VersioningType,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
} from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { map, type Observable } from 'rxjs';

import { ADAPTERS, type AdapterCase } from '../support/adapters.js';
import { Desk, deskApp, type DeskOptions } from '../support/desk.module.js';
import { mcpRequest, type PostedRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { serve, type ServedApp } from '../support/served-app.js';

type Middleware = (request: unknown, response: unknown, next: () => void) => void;

/** Neither package is typed the same under all of the module systems that the specs run in. */
const load = createRequire(import.meta.url);
const compression = load('compression') as (options: object) => Middleware;
const { default: helmet } = load('helmet') as { default: () => Middleware };

@Injectable()
class WrapHttp implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const handled = next.handle();
    return context.getType() === 'http' ? handled.pipe(map((data: unknown) => ({ data, wrapped: true }))) : handled;
  }
}

@Injectable()
class WrapAlways implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data, wrapped: true })));
  }
}

@Catch()
class CatchAll implements ExceptionFilter {
  constructor(private readonly adapters: HttpAdapterHost) {}

  catch(error: unknown, host: ArgumentsHost): void {
    // Handlers of tools are not the business of a filter that writes HTTP answers.
    if (host.getType() !== 'http') throw error;
    this.adapters.httpAdapter.reply(host.switchToHttp().getResponse(), { caught: true }, HttpStatus.I_AM_A_TEAPOT);
  }
}

const QUESTIONS: Readonly<Record<string, PostedRequest>> = {
  discover: mcpRequest('server/discover'),
  tools: mcpRequest('tools/list'),
  prompts: mcpRequest('prompts/list'),
  resources: mcpRequest('resources/list'),
  'an unknown tool': mcpRequest('tools/call', { name: 'nobody' }),
  'an unknown method': mcpRequest('foo/bar'),
  'no JSON': { ...mcpRequest('tools/list'), body: '{' },
  'a batch': { ...mcpRequest('tools/list'), body: '[]' },
  'a wrong type': mcpRequest('tools/list', {}, { headers: { 'content-type': 'text/plain' } }),
  'a foreign origin': mcpRequest('tools/list', {}, { headers: { origin: 'http://evil.example' } }),
  'a mismatch': mcpRequest('tools/list', {}, { headers: { 'mcp-method': 'other' } }),
  'wrong arguments': mcpRequest('tools/call', { name: 'echo', arguments: { text: 1 } }),
};

const RESULTS: Readonly<Record<string, PostedRequest>> = {
  echo: mcpRequest('tools/call', { name: 'echo', arguments: { text: 'hi' } }),
  resource: mcpRequest('resources/read', { uri: 'demo://café' }),
  prompt: mcpRequest('prompts/get', { name: 'hello' }),
  stream: mcpRequest('tools/call', { name: 'count', arguments: { steps: 2 } }, { meta: { progressToken: 1 } }),
};

async function answers(
  served: ServedApp,
  questions: Readonly<Record<string, PostedRequest>>,
): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const [name, { headers, body }] of Object.entries(questions)) {
    const response = await fetch(served.url, { method: 'POST', headers, body });
    all[name] = [response.status, await response.text()];
  }
  return all;
}

async function addPlugins(app: INestApplication, { name }: AdapterCase): Promise<void> {
  if (name === 'express') {
    app.use(compression({ threshold: 0 }), helmet());
    return;
  }
  const fastify = app as NestFastifyApplication;
  const [{ default: compress }, { default: security }] = await Promise.all([
    import('@fastify/compress'),
    import('@fastify/helmet'),
  ]);
  await fastify.register(compress, { threshold: 0 });
  await fastify.register(security as never);
}

function harden(adapter: AdapterCase, interceptor: NestInterceptor) {
  return async (app: INestApplication): Promise<void> => {
    app.setGlobalPrefix('api/v1', { exclude: [{ path: 'health', method: RequestMethod.GET }] });
    app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    app.enableCors();
    await addPlugins(app, adapter);
    app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
    app.useGlobalInterceptors(interceptor, new ClassSerializerInterceptor(app.get(Reflector)));
    app.useGlobalFilters(new CatchAll(app.get(HttpAdapterHost)));
  };
}

describe.each(ADAPTERS)('an app that changes everything on $name', (adapter) => {
  it('sends the same bytes for lists, refusals and errors, and for results if its wrapper supports HTTP', async () => {
    await using plain = await serve(deskApp(), adapter);
    await using hostile = await serve(deskApp(), adapter, {
      path: '/api/v1/mcp',
      configure: harden(adapter, new WrapHttp()),
    });
    expect(await answers(hostile, QUESTIONS)).toEqual(await answers(plain, QUESTIONS));
    expect(await answers(hostile, RESULTS)).toEqual(await answers(plain, RESULTS));
  });

  it('changes what tools return, never the envelope, where its wrapper does not', async () => {
    await using plain = await serve(deskApp(), adapter);
    await using hostile = await serve(deskApp(), adapter, {
      path: '/api/v1/mcp',
      configure: harden(adapter, new WrapAlways()),
    });
    expect(await answers(hostile, QUESTIONS)).toEqual(await answers(plain, QUESTIONS));
    const { message } = await hostile.call('echo', { text: 'hi' });
    expect(message).toMatchObject({ jsonrpc: '2.0', id: 1 });
    expect(JSON.stringify(message.result)).toContain('wrapped');
  });

  it('turns no error of a handler into a success', async () => {
    await using hostile = await serve(deskApp(), adapter, {
      path: '/api/v1/mcp',
      configure: harden(adapter, new WrapHttp()),
    });
    const { status, message } = await hostile.call('boom');
    expect([status, message.error.code]).toEqual([200, -32603]);
  });

  it('compresses plain answers and never streams', async () => {
    await using hostile = await serve(deskApp(), adapter, {
      path: '/api/v1/mcp',
      configure: harden(adapter, new WrapHttp()),
    });
    const lines = (posted: PostedRequest) => [...linesOf(posted), ['accept-encoding', 'gzip'] as const];
    using connection = await RawConnection.open(hostile.origin);
    const posted = mcpRequest('tools/call', { name: 'wait', arguments: { steps: 1 } }, { meta: { progressToken: 1 } });
    connection.send({ target: '/api/v1/mcp', headers: lines(posted), body: posted.body });
    // It is there before the call ends, in plain text.
    const head = (await connection.until('"progress":1')).toLowerCase();
    expect(head).not.toContain('content-encoding');
    expect(head).toContain('x-content-type-options: nosniff');
    const packed = await fetch(hostile.url, {
      method: 'POST',
      ...QUESTIONS['tools'],
      headers: { ...QUESTIONS['tools']?.headers, 'accept-encoding': 'gzip' },
    });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await packed.json()).toHaveProperty('result');
    hostile.app.get(Desk).release.open('done');
  });
});

describe.each(ADAPTERS)('the path of the endpoint on $name', (adapter) => {
  const status = async (origin: string, path: string): Promise<number> => {
    const { headers, body } = QUESTIONS['tools'];
    const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body });
    await response.text();
    return response.status;
  };
  const guarded: DeskOptions = { http: { maxBodyBytes: 5_000_000 } };
  const long = mcpRequest('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(1_500_000) } });

  it('is below the prefix of the app', async () => {
    await using served = await serve(deskApp(guarded), adapter, {
      path: '/api/v1/mcp',
      configure: (app) => void app.setGlobalPrefix('api/v1'),
    });
    expect(await status(served.origin, '/api/v1/mcp')).toBe(200);
    expect(await status(served.origin, '/mcp')).toBe(404);
    // Larger than any parser of the app takes, so the door stands at the right path.
    expect((await served.post(long, 'tools/call')).status).toBe(200);
  });

  it.each([['mcp'], [{ path: '/mcp', method: RequestMethod.ALL }]])(
    'is not, where it is excluded by %j',
    async (excluded) => {
      await using served = await serve(deskApp(guarded), adapter, {
        configure: (app) => void app.setGlobalPrefix('api/v1', { exclude: [excluded] }),
      });
      expect(await status(served.origin, '/mcp')).toBe(200);
      expect(await status(served.origin, '/api/v1/mcp')).toBe(404);
      expect((await served.post(long, 'tools/call')).status).toBe(200);
    },
  );

  it.each([
    ['the address', { type: VersioningType.URI, defaultVersion: '1' }],
    ['a header', { type: VersioningType.HEADER, header: 'x-version', defaultVersion: '1' }],
    ['the media type', { type: VersioningType.MEDIA_TYPE, key: 'v=', defaultVersion: '1' }],
  ] as const)('has no version, where %s carries that of others', async (_name, versioning) => {
    await using served = await serve(deskApp(), adapter, { configure: (app) => void app.enableVersioning(versioning) });
    expect(await status(served.origin, '/mcp')).toBe(200);
    expect((await served.send('tools/list', {}, { headers: { 'x-version': '7' } })).status).toBe(200);
  });
});

describe.each(ADAPTERS)('browsers on $name', (adapter) => {
  const origin = 'http://localhost:5173';
  const asked = 'authorization,content-type,mcp-protocol-version,mcp-method,mcp-name,mcp-param-region';
  const deny = {
    canActivate: () => {
      throw new UnauthorizedException();
    },
  };
  const preflight = (served: ServedApp, from: string): Promise<Response> =>
    fetch(served.url, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'POST', 'access-control-request-headers': asked },
    });

  it('may send every header of the protocol once CORS is on, without a token', async () => {
    await using served = await serve(deskApp({ http: { guards: [deny] } }), adapter, {
      configure: (app) => app.enableCors(),
    });
    const answer = await preflight(served, origin);
    expect(answer.status).toBeLessThan(300);
    expect(answer.headers.get('access-control-allow-origin')).toMatch(/^(\*|http:\/\/localhost:5173)$/);
    expect(answer.headers.get('access-control-allow-headers')).toBe(asked);
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    const { headers, body } = QUESTIONS['tools'];
    const refused = await fetch(served.url, { method: 'POST', headers: { ...headers, origin }, body });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).not.toBeNull();
    expect(refused.headers.get('access-control-expose-headers')).toBe('WWW-Authenticate');
  });

  it('can read the headers of answers and of streams', async () => {
    await using served = await serve(deskApp(), adapter, { configure: (app) => app.enableCors() });
    for (const posted of Object.values(RESULTS)) {
      const answer = await fetch(served.url, {
        method: 'POST',
        headers: { ...posted.headers, origin },
        body: posted.body,
      });
      await answer.text();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).not.toBeNull();
      expect(answer.headers.get('access-control-expose-headers')).toBe('WWW-Authenticate');
    }
  });

  it('of other sites get no preflight, CORS or not', async () => {
    await using served = await serve(deskApp(), adapter, { configure: (app) => app.enableCors() });
    expect((await preflight(served, 'http://evil.example')).status).toBe(403);
  });

  it('get none at all without CORS', async () => {
    await using served = await serve(deskApp(), adapter);
    const answer = await preflight(served, origin);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([405, null]);
  });
});
