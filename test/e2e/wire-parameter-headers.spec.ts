import { describe, expect, it } from '@jest/globals';
import {
  CallHandler,
  CanActivate,
  Catch,
  ExceptionFilter,
  ExecutionContext,
  ForbiddenException,
  Injectable,
  NestInterceptor,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import type { Observable } from 'rxjs';
import { z } from 'zod';

import { McpExecutionContext, McpHeader, McpRegistry, McpServer, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { deskApp, type DeskOptions } from '../support/desk.module.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { serve, type Answer, type ServedApp } from '../support/served-app.js';

class OrderArgs {
  @McpHeader('Region') @IsString() region!: string;
  @McpHeader('Count') @IsInt() count: number = 1;
  @McpHeader('Sure') @IsOptional() @IsBoolean() sure?: boolean;
}

const zodArgs = z.object({
  region: z.string().meta({ 'x-mcp-header': 'Region' }).optional(),
  count: z.int().meta({ 'x-mcp-header': 'Count' }).optional(),
});

const rawArgs = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    place: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } },
  },
} as const;

/** What ran, in order. */
@Injectable()
class Diary {
  readonly entries: string[] = [];
}

@Injectable()
class Doorman implements CanActivate {
  constructor(private readonly diary: Diary) {}

  canActivate(context: ExecutionContext): boolean {
    this.diary.entries.push('guard');
    if (McpExecutionContext.create(context).getContext().auth === 'nobody') throw new ForbiddenException('Not you');
    return context.switchToHttp().getRequest<{ headers: object }>().headers['x-known' as never] !== 'no';
  }
}

@Injectable()
class Recorder implements NestInterceptor {
  constructor(private readonly diary: Diary) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.diary.entries.push('interceptor');
    return next.handle();
  }
}

@Catch()
class Swallower implements ExceptionFilter {
  catch(): string {
    return 'all is well';
  }
}

@Injectable()
class Orders {
  constructor(private readonly diary: Diary) {}

  @Tool({ description: 'Takes a DTO' })
  dto(args: OrderArgs): string {
    return this.ran(args);
  }

  @Tool({ description: 'Takes what zod checks', input: zodArgs })
  zod(args: z.infer<typeof zodArgs>): string {
    return this.ran(args);
  }

  @Tool({ description: 'Takes JSON Schema', input: rawArgs })
  raw(args: Record<string, unknown>): string {
    return this.ran(args);
  }

  @Tool({ description: 'Is guarded', input: rawArgs })
  @UseGuards(Doorman)
  @UseInterceptors(Recorder)
  @UseFilters(Swallower)
  guarded(args: Record<string, unknown>): string {
    return this.ran(args);
  }

  private ran(args: object): string {
    this.diary.entries.push('handler');
    return JSON.stringify(args);
  }
}

const app = (options: DeskOptions = {}): ReturnType<typeof deskApp> =>
  deskApp(options, { providers: [Orders, Diary, Doorman, Recorder] });

const entriesOf = (served: ServedApp): readonly string[] => served.app.get(Diary).entries;

const refusalOf = ({ status, message }: Answer): unknown => [status, message.error?.code, message.error?.message];

const refused = (words: string): unknown => [400, -32020, words];

describe.each(ADAPTERS)('headers of arguments on $name', (adapter) => {
  it.each(['dto', 'zod', 'raw'])('let matching calls of %s through', async (name) => {
    await using served = await serve(app(), adapter);
    const headers = { 'mcp-param-region': '=?base64?WsO8cmljaA==?=', 'Mcp-Param-Count': '42.0' };
    const { status, message } = await served.call(name, { region: 'Zürich', count: 42 }, { headers });
    expect(status).toBe(200);
    expect(message.result.content).toEqual([{ type: 'text', text: '{"region":"Zürich","count":42}' }]);
  });

  it.each(['dto', 'zod', 'raw'])('refuse calls of %s before anything runs', async (name) => {
    await using served = await serve(app(), adapter);
    const args = { region: 'us', count: 1 };
    const count = { 'mcp-param-count': '1' };
    const differing = await served.call(name, args, { headers: { ...count, 'mcp-param-region': 'eu' } });
    expect(refusalOf(differing)).toEqual(refused('The header Mcp-Param-Region differs from "region"'));
    expect(differing.message.error.data).toEqual({ header: 'eu', body: 'us' });
    const missing = await served.call(name, args, { headers: count });
    expect(refusalOf(missing)).toEqual(refused('The header Mcp-Param-Region is missing; it repeats "region"'));
    const malformed = await served.call(name, args, { headers: { ...count, 'mcp-param-region': '=?base64?!!!?=' } });
    expect(refusalOf(malformed)).toEqual(refused('The header Mcp-Param-Region is not properly encoded'));
    expect(entriesOf(served)).toEqual([]);
  });

  it.each([{}, { region: null }, { place: 'text' }, { place: null }])(
    'need none for the arguments %j',
    async (args) => {
      await using served = await serve(app(), adapter);
      const { status, message } = await served.call('raw', args, { headers: { 'mcp-param-region': 'eu' } });
      expect([status, message.error]).toEqual([200, undefined]);
    },
  );

  it('reach into nested arguments', async () => {
    await using served = await serve(app(), adapter);
    const args = { place: { city: 'Bern' } };
    expect((await served.call('raw', args, { headers: { 'mcp-param-city': 'Bern' } })).status).toBe(200);
    const other = await served.call('raw', args, { headers: { 'mcp-param-city': 'Rome' } });
    expect(refusalOf(other)).toEqual(refused('The header Mcp-Param-City differs from "place.city"'));
  });

  it('fill no default in before they are compared', async () => {
    await using served = await serve(app(), adapter);
    const { message } = await served.call('dto', { region: 'eu' }, { headers: { 'mcp-param-region': 'eu' } });
    expect(message.result.content).toEqual([{ type: 'text', text: '{"region":"eu","count":1}' }]);
  });

  it('are refused when they are there twice', async () => {
    await using served = await serve(app(), adapter);
    const call = mcpRequest('tools/call', { name: 'raw', arguments: { region: 'eu' } });
    for (const second of ['eu', 'us', '']) {
      using connection = await RawConnection.open(served.origin);
      const headers = [...linesOf(call), ['Mcp-Param-Region', 'eu'], ['mcp-param-region', second]] as const;
      connection.send({ headers, body: call.body });
      const { status, message } = await connection.answer();
      expect([status, message.error.code, message.id]).toEqual([400, -32020, 1]);
      expect(message.error.message).toBe('The header Mcp-Param-Region occurs more than once');
    }
    expect(entriesOf(served)).toEqual([]);
  });

  it('are compared with integers to the last digit', async () => {
    await using served = await serve(app(), adapter);
    const call = mcpRequest('tools/call', { name: 'raw', arguments: { count: 0 } });
    const body = call.body.replace('"count":0', '"count":9007199254740993');
    const post = (count: string): Promise<Answer> =>
      served.post({ headers: { ...call.headers, 'mcp-param-count': count }, body });
    expect((await post('9007199254740993')).status).toBe(200);
    const near = await post('9007199254740992');
    expect(refusalOf(near)).toEqual(refused('The header Mcp-Param-Count differs from "count"'));
    expect(near.message.error.data).toEqual({ header: '9007199254740992', body: '9007199254740993' });
  });

  it('are quoted in part where they are long', async () => {
    await using served = await serve(app(), adapter);
    const { message } = await served.call(
      'raw',
      { region: `${'x'.repeat(255)}😀` },
      { headers: { 'mcp-param-region': 'a' } },
    );
    expect(message.error.data).toEqual({ header: 'a', body: `${'x'.repeat(255)}…` });
  });

  it('come after guards, and before interceptors and filters', async () => {
    await using served = await serve(app(), adapter);
    const wrong = { 'mcp-param-region': 'eu' };
    expect(refusalOf(await served.call('guarded', { region: 'us' }, { headers: wrong }))).toEqual(
      refused('The header Mcp-Param-Region differs from "region"'),
    );
    expect(entriesOf(served)).toEqual(['guard']);
    const right = await served.call('guarded', { region: 'eu' }, { headers: wrong });
    expect(right.message.result.content).toEqual([{ type: 'text', text: '{"region":"eu"}' }]);
    expect(entriesOf(served)).toEqual(['guard', 'guard', 'interceptor', 'handler']);
  });

  it('come before the schema', async () => {
    await using served = await serve(app(), adapter);
    const args = { region: 5 };
    expect((await served.call('raw', args)).status).toBe(400);
    const { message } = await served.call('raw', args, { headers: { 'mcp-param-region': '5' } });
    expect(message.result).toMatchObject({ isError: true });
  });

  it.each([undefined, 'conceal'] as const)(
    'tell a caller nothing whom a guard refuses, with refusals %s',
    async (refusals) => {
      await using served = await serve(app(refusals === undefined ? {} : { auth: { refusals } }), adapter);
      const outcomes = [];
      for (const headers of [{}, { 'mcp-param-region': 'eu' }, { 'mcp-param-region': 'us' }]) {
        const answer = await served.call('guarded', { region: 'us' }, { headers: { ...headers, 'x-known': 'no' } });
        outcomes.push([answer.status, answer.message.error]);
      }
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
      expect(outcomes[0]).not.toContain(400);
      expect(entriesOf(served)).not.toContain('handler');
    },
  );

  it('do not make an unknown tool known', async () => {
    await using served = await serve(app(), adapter);
    const { status, message } = await served.call(
      'nothing',
      { region: 'us' },
      { headers: { 'mcp-param-region': 'eu' } },
    );
    expect([status, message.error.code, message.error.message]).toEqual([200, -32602, 'Unknown tool: nothing']);
  });

  it('hold for tools that are added at run time', async () => {
    await using served = await serve(app(), adapter);
    const registry = served.app.get(McpRegistry);
    await registry.addTool({ name: 'added', description: 'Comes late', input: rawArgs }, () => 'late');
    expect((await served.call('added', { region: 'eu' })).status).toBe(400);
    expect((await served.call('added', { region: 'eu' }, { headers: { 'mcp-param-region': 'eu' } })).status).toBe(200);
  });

  it.each(['eu', 'Zürich', '', ' spaces ', '=?base64?QQ==?=', 'tab\tbed', 'line\nbroken', '🦊'])(
    'are what the official client makes of %j',
    async (region) => {
      await using served = await serve(app(), adapter);
      const client = new Client(
        { name: 'official', version: '1.0.0' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      );
      await client.connect(new StreamableHTTPClientTransport(new URL(served.url)));
      await client.listTools();
      const args = { region, count: 9007199254740991, sure: false };
      const result = await client.callTool({ name: 'dto', arguments: args });
      expect(JSON.parse((result.content[0] as { text: string }).text)).toEqual(args);
      await client.close();
    },
  );

  it('are not needed off HTTP', async () => {
    await using served = await serve(app(), adapter);
    await using client = served.app.get(McpServer).connect();
    expect(await client.callTool('raw', { region: 'eu' })).toMatchObject({ content: [{ text: '{"region":"eu"}' }] });
  });
});
