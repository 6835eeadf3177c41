import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Injectable,
  Module,
  UseInterceptors,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';

import {
  ConcurrencyInterceptor,
  McpModule,
  Prompt,
  RateLimitInterceptor,
  RateLimitOptions,
  Resource,
  Tool,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { Gate } from '../support/gate.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { serve } from '../support/served-app.js';
import { statsOf, until } from '../support/workshop.module.js';

/** Tells who calls by a header, as a guard that has verified a token would. */
class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; mcpAuth?: unknown }>();
    const caller = request.headers['x-caller'];
    if (caller !== undefined) request.mcpAuth = { sub: caller };
    return true;
  }
}

/** A class of its own for each test: an interceptor that a decorator holds lives as long as its class. */
function libraryApp(): Type<unknown> {
  @Injectable()
  class Library {
    @Tool({ description: 'Search', server: ['default', 'admin'] })
    @UseInterceptors(new RateLimitInterceptor({ limit: 1 }))
    search(): string {
      return 'found';
    }

    @Resource({ uri: 'library://catalogue', description: 'All books' })
    @UseInterceptors(RateLimitInterceptor)
    catalogue(): string {
      return 'books';
    }

    @Prompt({ description: 'Recommend' })
    @UseInterceptors(RateLimitInterceptor)
    recommend(): string {
      return 'a book';
    }
  }
  const http = { guards: [HeaderGuard] };
  @Module({
    imports: [
      McpModule.forRoot({ name: 'library', version: '1.0.0', http }),
      McpModule.forRoot({ name: 'admin', version: '1.0.0', server: 'admin', path: '/admin', http }),
    ],
    providers: [Library, { provide: RateLimitOptions, useValue: { limit: 1, windowMs: 3_600_000 } }],
  })
  class LibraryApp {}
  return LibraryApp;
}

@Injectable()
class Bell {
  @Tool({ description: 'Ring' })
  ring(): string {
    return 'rung';
  }
}

describe.each(ADAPTERS)('rate limits on $name', (adapter) => {
  it('tell an agent when to try again, for each caller, component and server', async () => {
    await using served = await serve(libraryApp(), adapter);
    const as = (caller: string) => ({ headers: { 'x-caller': caller } });
    expect((await served.call('search', {}, as('ada'))).message.result).not.toHaveProperty('isError');
    const refused = await served.call('search', {}, as('ada'));
    expect(refused.status).toBe(200);
    expect(refused.message.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/^Too many calls\. Try again in (?:60|59|5\d) s\.$/) }],
    });
    expect((await served.call('search', {}, as('bob'))).message.result).not.toHaveProperty('isError');
    const { headers, body } = mcpRequest('tools/call', { name: 'search', arguments: {} }, as('ada'));
    const other = await fetch(`${served.origin}/admin`, { method: 'POST', headers, body });
    expect(await other.json()).not.toHaveProperty('result.isError');
  });

  it('answer with an error and data where no result can carry it, also when bound by class', async () => {
    await using served = await serve(libraryApp(), adapter);
    const read = () => served.send('resources/read', { uri: 'library://catalogue' });
    const get = () => served.send('prompts/get', { name: 'recommend' });
    expect((await read()).message).toHaveProperty('result');
    expect((await get()).message).toHaveProperty('result');
    for (const refused of [await read(), await get()]) {
      expect(refused.message.error).toMatchObject({ code: 429, data: { retryAfterMs: expect.any(Number) } });
    }
  });

  it('of the whole app leave its routes alone', async () => {
    @Controller('plain')
    class Plain {
      @Get()
      get(): string {
        return 'plain';
      }
    }
    @Module({
      imports: [McpModule.forRoot({ name: 'plain', version: '1.0.0' })],
      controllers: [Plain],
      providers: [
        Bell,
        { provide: APP_INTERCEPTOR, useFactory: () => new RateLimitInterceptor({ limit: 1 }) },
        { provide: APP_INTERCEPTOR, useValue: new ConcurrencyInterceptor() },
      ],
    })
    class PlainApp {}
    await using served = await serve(PlainApp, adapter);
    for (const _ of [1, 2, 3]) expect(await (await fetch(`${served.origin}/plain`)).text()).toBe('plain');
    for (const _ of [1, 2, 3]) expect((await served.send('tools/list')).message).toHaveProperty('result');
    expect((await served.call('ring')).message.result).not.toHaveProperty('isError');
    expect((await served.call('ring')).message.result).toMatchObject({ isError: true });
  });
});

@Injectable()
class Press {
  most = 0;
  started = 0;
  readonly release = new Gate<string>();
  private running = 0;

  @Tool({ description: 'Print' })
  @UseInterceptors(new ConcurrencyInterceptor({ maxConcurrency: 1, maxQueue: 1 }))
  async print(): Promise<string> {
    this.started += 1;
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    const text = await this.release.opened;
    this.running -= 1;
    return text;
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'press', version: '1.0.0' })], providers: [Press] })
class PressApp {}

describe.each(ADAPTERS)('calls at the same time on $name', (adapter) => {
  it('are bounded, and a client that leaves while it waits makes room', async () => {
    await using served = await serve(PressApp, adapter);
    const press = served.app.get(Press);
    const first = served.call('print');
    await until(() => press.started === 1);
    const posted = mcpRequest('tools/call', { name: 'print', arguments: {} });
    const leaving = await RawConnection.open(served.origin);
    leaving.send({ headers: linesOf(posted), body: posted.body });
    await until(() => statsOf(served).running === 2);
    const refused = await served.call('print');
    expect(refused.message.result).toMatchObject({
      isError: true,
      content: [{ text: 'Too many calls are running. Try again in 1 s.' }],
    });
    leaving[Symbol.dispose]();
    await until(() => statsOf(served).running === 1);
    const second = served.call('print');
    await until(() => statsOf(served).running === 2);
    press.release.open('printed');
    for (const answer of [await first, await second]) {
      expect(answer.message.result).toMatchObject({ content: [{ text: 'printed' }] });
    }
    expect([press.most, press.started]).toEqual([1, 2]);
  });
});
