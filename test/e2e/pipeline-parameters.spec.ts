import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  Controller,
  createParamDecorator,
  DefaultValuePipe,
  Headers,
  Injectable,
  Ip,
  Module,
  ParseIntPipe,
  Post,
  Query,
  Req,
  Res,
  UsePipes,
  ValidationPipe,
  type ArgumentMetadata,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { IsInt, IsOptional, IsString, MinLength } from 'class-validator';
import { z } from 'zod';

import {
  Args,
  Auth,
  Ctx,
  McpContext,
  McpExecutionContext,
  McpModule,
  Signal,
  Tool,
  type ToolArgs,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { serve } from '../support/served-app.js';
import { shareApp } from '../support/shared-app.js';

class GreetArgs {
  @IsString() @MinLength(1) name!: string;
  @IsOptional() @IsInt() times?: number = 1;
}

const texts = {
  type: 'object',
  properties: { a: { type: 'string' }, b: { type: 'string' } },
  additionalProperties: false,
} as const;

const Tenant = createParamDecorator((fallback: string, host: ExecutionContext) => {
  const request = host.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>();
  return {
    type: host.getType<string>(),
    tenant: request.headers['x-tenant'] ?? fallback,
    tool: McpExecutionContext.create(host).getComponent().name,
  };
});

@Injectable()
class ShoutPipe implements PipeTransform {
  transform(value: unknown, { type, data, metatype }: ArgumentMetadata): unknown {
    return [value, type, data ?? null, metatype?.name ?? null];
  }
}

@Injectable()
class RefusingPipe implements PipeTransform {
  transform(): never {
    throw new BadRequestException('No pipe lets this through');
  }
}

const rows = z.object({ items: z.array(z.object({ a: z.string() })) });
const point = z.object({ x: z.coerce.number().default(7) });

@Injectable()
class Taker {
  @Tool({ description: 'Arguments by type' })
  by_type(args: GreetArgs): object {
    const { name, times } = args;
    return { name, times, dto: args instanceof GreetArgs };
  }

  @Tool({ description: 'Context second' })
  context_second(args: GreetArgs, context: McpContext): object {
    return { name: args.name, id: context.requestId };
  }

  @Tool({ description: 'Context first' })
  context_first(context: McpContext, args: GreetArgs): object {
    return { name: args.name, id: context.requestId };
  }

  @Tool({ description: 'Context alone' })
  context_alone(context: McpContext): object {
    return {
      id: context.requestId,
      version: context.protocolVersion,
      client: context.client.info?.name ?? null,
      capabilities: context.client.capabilities,
      auth: context.auth ?? null,
      meta: Object.keys(context.meta).length > 0,
      aborted: context.signal.aborted,
    };
  }

  @Tool({ description: 'Explicit' })
  explicit(
    @Ctx() context: McpContext,
    @Signal() signal: AbortSignal,
    @Auth() auth: unknown,
    @Args() args: GreetArgs,
  ): object {
    return { name: args.name, same: context.signal === signal, auth: auth ?? null };
  }

  @Tool({ description: 'By name', input: texts })
  by_name(@Args('b') b: string, @Args('a', new DefaultValuePipe('none')) a: string, context: McpContext): object {
    return { a, b: b ?? null, id: context.requestId };
  }

  @Tool({ description: 'By name, with pipes', input: texts })
  piped(@Args('a', ParseIntPipe) a: number, @Args('b', ShoutPipe) b: unknown): object {
    return { a, b };
  }

  @Tool({ description: 'All, with a pipe', input: texts })
  all_piped(@Args(ShoutPipe) args: unknown = {}): unknown {
    return args;
  }

  @Tool({ description: 'Refused by a pipe' })
  @UsePipes(RefusingPipe)
  refused(_args: GreetArgs): string {
    return 'never';
  }

  @Tool({ description: 'Of Nest' })
  of_nest(
    @Req() request: { method: string },
    @Headers('X-Tenant') tenant: string,
    @Headers() headers: Record<string, string>,
    @Ip() ip: string,
    @Query('q') query: string,
    @Res() response: object,
  ): object {
    return {
      method: request.method,
      tenant,
      host: typeof headers['host'],
      ip,
      query: query ?? null,
      response: typeof response,
    };
  }

  @Tool({ description: 'Of the user' })
  of_user(@Tenant('nobody') tenant: object): object {
    return tenant;
  }

  @Tool({ description: 'A default', input: point })
  defaulted({ x }: ToolArgs<typeof point> = { x: -1 }): object {
    return { x };
  }

  @Tool({ description: 'Many', input: rows })
  many({ items }: ToolArgs<typeof rows>): object {
    return { items: items.length };
  }

  @Tool({ description: 'None' })
  none(): number {
    // eslint-disable-next-line prefer-rest-params
    return arguments.length;
  }

  @Tool({ description: 'Ignores its arguments', input: texts })
  ignoring(): string {
    return 'ignored';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'taker', version: '1.0.0' })], providers: [Taker] })
class TakerModule {}

describe.each(ADAPTERS)('parameters on $name', (adapter) => {
  const served = shareApp(TakerModule, adapter);

  it.each([
    ['by_type', { name: 'Ada' }, { name: 'Ada', times: 1, dto: true }],
    ['by_type', { name: 'Ada', times: 3 }, { name: 'Ada', times: 3, dto: true }],
    ['context_second', { name: 'Ada' }, { name: 'Ada', id: 'r1' }],
    ['context_first', { name: 'Ada' }, { name: 'Ada', id: 'r1' }],
    [
      'context_alone',
      {},
      { id: 'r1', version: '2026-07-28', client: null, capabilities: {}, auth: null, meta: true, aborted: false },
    ],
    ['explicit', { name: 'Ada' }, { name: 'Ada', same: true, auth: null }],
    ['by_name', { b: 'B' }, { a: 'none', b: 'B', id: 'r1' }],
    ['by_name', { a: 'A' }, { a: 'A', b: null, id: 'r1' }],
    ['piped', { a: '12', b: 'x' }, { a: 12, b: ['x', 'body', 'b', 'Object'] }],
    [
      'of_nest',
      {},
      { method: 'POST', tenant: 'acme', host: 'string', ip: '127.0.0.1', query: null, response: 'object' },
    ],
    ['of_user', {}, { type: 'mcp', tenant: 'acme', tool: 'of_user' }],
    ['defaulted', {}, { x: 7 }],
  ])('%s gets them', async (tool, args, expected) => {
    const { message } = await served.app.call(tool, args, { id: 'r1', headers: { 'x-tenant': 'acme' } });
    expect(message.result.structuredContent).toEqual(expected);
  });

  it('omits arguments that a method without parameters would not get', async () => {
    expect((await served.app.call('none')).message.result.structuredContent).toBe(1);
    expect((await served.app.call('none', {})).message.result.isError).toBeUndefined();
    expect((await served.app.call('ignoring', { a: 'x' })).message.result.content).toMatchObject([{ text: 'ignored' }]);
  });

  it('advertises a closed object for a method without parameters, and refuses more', async () => {
    const { message } = await served.app.send('tools/list');
    const tools = message.result.tools as unknown as { name: string; inputSchema: object }[];
    for (const name of ['none', 'context_alone', 'of_nest', 'of_user']) {
      expect(tools.find((tool) => tool.name === name)?.inputSchema).toEqual({
        type: 'object',
        additionalProperties: false,
      });
      const refused = await served.app.call(name, { extra: 'hush' });
      expect(refused.message.result.isError).toBe(true);
      expect(refused.text).toContain('extra');
      expect(refused.text).not.toContain('hush');
    }
  });

  it.each([null, [], 'text', 5])('answers arguments that are %j with -32602', async (args) => {
    const { message, status } = await served.app.send('tools/call', { name: 'none', arguments: args });
    expect(status).toBe(200);
    expect(message.error.code).toBe(-32602);
  });

  it.each([
    ['a missing one', {}, 'name'],
    ['one of another type', { name: 5 }, 'name'],
    ['an undeclared one', { name: 'a', toolCallId: 'hush' }, 'toolCallId'],
    ['a number as a string', { name: 'a', times: '890' }, 'times'],
    ['a nested object as JSON', { name: '{"a":1}', times: '{}' }, 'times'],
  ])('tells the model about %s', async (_what, args, place) => {
    const { message, status, text } = await served.app.call('by_type', args);
    expect(status).toBe(200);
    expect(message.result.isError).toBe(true);
    expect(text).toContain(place);
    expect(text).not.toContain('hush');
    expect(served.log.texts('error')).toEqual([]);
  });

  it.each([
    ['that are all wrong', 600_000, {}, "items[0]: must have required property 'a'"],
    ['that are right', 20_000, { a: 'hush' }, 'items: must hold fewer values: these are too many to check in one call'],
  ])('answers a body full of items %s with the first complaint', async (_what, count, item, complaint) => {
    const { message, text } = await served.app.call('many', { items: Array.from({ length: count }, () => item) });
    expect(message.result.isError).toBe(true);
    expect(text).toContain(complaint);
    expect(text.length).toBeLessThan(1_000);
    expect((await served.app.call('many', { items: [{ a: 'x' }] })).message.result.structuredContent).toEqual({
      items: 1,
    });
  });

  it('passes the message of a pipe to the model', async () => {
    const bad = await served.app.call('piped', { a: 'twelve' });
    expect(bad.message.result).toMatchObject({
      isError: true,
      content: [{ text: 'Validation failed (numeric string is expected)' }],
    });
    const refused = await served.app.call('refused', { name: 'a' });
    expect(refused.message.result).toMatchObject({ isError: true, content: [{ text: 'No pipe lets this through' }] });
  });

  it('answers an unknown tool with -32602', async () => {
    expect((await served.app.call('nobody')).message.error).toMatchObject({
      code: -32602,
      message: 'Unknown tool: nobody',
    });
  });
});

@Controller('both')
class Both {
  @Post()
  @Tool({ description: 'A route and a tool' })
  both(@Args() args: GreetArgs): object {
    return { name: args.name, dto: args instanceof GreetArgs };
  }

  @Tool({ description: 'Zod beside a global pipe', input: z.object({ n: z.number() }) })
  zod(args: { n: number }, context: McpContext): object {
    return { n: args.n, id: context.requestId, working: typeof context.progress };
  }

  @Tool({ description: 'Context decorated', input: z.object({ n: z.number() }) })
  decorated(@Args() args: { n: number }, @Ctx() context: McpContext, @Signal() signal: AbortSignal): object {
    return { n: args.n, id: context.requestId, aborted: signal.aborted };
  }

  @Tool({ description: 'Nothing to validate' })
  context_only(context: McpContext): object {
    return { id: context.requestId };
  }

  @Tool({
    description: 'One by name',
    input: { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] },
  })
  named(@Args('n', ParseIntPipe) n: number): number {
    return n;
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'both', version: '1.0.0' })],
  controllers: [Both],
})
class BothModule {}

describe.each(ADAPTERS)('a global ValidationPipe on $name', (adapter) => {
  it.each([
    ['whitelist', { whitelist: true }],
    ['forbidNonWhitelisted', { whitelist: true, forbidNonWhitelisted: true }],
    ['forbidUnknownValues', { forbidUnknownValues: true }],
    ['transform', { transform: true }],
    [
      'everything',
      {
        whitelist: true,
        forbidNonWhitelisted: true,
        forbidUnknownValues: true,
        transform: true,
        transformOptions: { enableImplicitConversion: true },
      },
    ],
  ])('with %s damages neither arguments nor context', async (_what, options) => {
    await using app = await serve(BothModule, adapter, {
      configure: (nest) => {
        nest.useGlobalPipes(new ValidationPipe(options));
      },
    });
    const valueOf = async (tool: string, args: object): Promise<unknown> =>
      (await app.call(tool, { ...args }, { id: 'r1' })).message.result.structuredContent;
    expect(await valueOf('both', { name: 'Ada' })).toMatchObject({
      name: 'Ada',
      ...('transform' in options && { dto: true }),
    });
    expect(await valueOf('zod', { n: 5 })).toEqual({ n: 5, id: 'r1', working: 'function' });
    expect(await valueOf('decorated', { n: 5 })).toEqual({ n: 5, id: 'r1', aborted: false });
    expect(await valueOf('context_only', {})).toEqual({ id: 'r1' });
    expect(await valueOf('named', { n: '5' })).toBe(5);
    const refused = await app.call('both', { name: 'Ada', extra: 1 });
    expect(refused.message.result.isError).toBe(true);
  });

  it('does not change a method that is also a route', async () => {
    await using app = await serve(BothModule, adapter, {
      configure: (nest) => {
        nest.useGlobalPipes(new ValidationPipe({ transform: true }));
      },
    });
    const post = async (body: object): Promise<readonly [number, unknown]> => {
      const response = await fetch(`${app.origin}/both`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return [response.status, await response.json()];
    };
    expect(await post({ name: 'Ada' })).toEqual([201, { name: 'Ada', dto: true }]);
    expect((await post({ name: 5 }))[0]).toBe(400);
  });
});

interface Authenticated {
  mcpAuth?: unknown;
  account?: unknown;
}

@Injectable()
class Identity {
  @Tool({ description: 'Who calls' })
  whoami(@Auth() auth: unknown, context: McpContext): object {
    return { auth: auth ?? null, same: context.auth === auth };
  }
}

describe.each(ADAPTERS)('@Auth() on $name', (adapter) => {
  it.each([
    ['mcpAuth', undefined, { sub: 'by mcpAuth' }],
    ['account', { property: 'account' }, { sub: 'by account' }],
  ])('reads the property %s of the request', async (_property, auth, expected) => {
    const guard = {
      canActivate(context: ExecutionContext): boolean {
        const request = context.switchToHttp().getRequest<Authenticated>();
        request.mcpAuth = { sub: 'by mcpAuth' };
        request.account = { sub: 'by account' };
        return true;
      },
    };
    @Module({
      imports: [
        McpModule.forRoot({
          name: 'identity',
          version: '1.0.0',
          http: { guards: [guard] },
          ...(auth === undefined ? {} : { auth }),
        }),
      ],
      providers: [Identity],
    })
    class IdentityModule {}
    await using app = await serve(IdentityModule, adapter);
    expect((await app.call('whoami')).message.result.structuredContent).toEqual({ auth: expected, same: true });
  });
});
