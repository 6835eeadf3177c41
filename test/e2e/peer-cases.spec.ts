import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Module,
  NotFoundException,
  UseGuards,
  ValidationPipe,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { IsInt, Max } from 'class-validator';
import { of, type Observable } from 'rxjs';
import { z } from 'zod';

import { McpModule, McpProtocolError, McpRegistry, Resource, text, Tool, type ToolResult } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { COMPLAINTS } from '../support/complaints.js';
import { serve } from '../support/served-app.js';
import { shareApp } from '../support/shared-app.js';

interface Signed {
  readonly headers: Readonly<Record<string, string | undefined>>;
  user?: string;
}

/** As an app has it for its routes; knows nothing of MCP. */
@Injectable()
class HttpGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Signed>();
    if (request.headers['authorization'] === undefined) return false;
    request.user = 'ada';
    return true;
  }
}

const passing: CanActivate = { canActivate: () => true };
const denying: CanActivate = { canActivate: () => false };

class Amount {
  @IsInt() @Max(9) amount!: number;
}

@Injectable()
class Cases {
  @Tool({ description: 'd' })
  @UseGuards(HttpGuard)
  guarded(): string {
    return 'guarded';
  }

  @Tool({ description: 'd' })
  @UseGuards(denying)
  denied(): string {
    return 'ran';
  }

  @Tool({ description: 'd' })
  @UseGuards(passing)
  allowed(): string {
    return 'allowed';
  }

  @Tool({ description: 'd' })
  missing(): never {
    throw new NotFoundException('Order 42 not found');
  }

  @Tool({ description: 'd' })
  protocol(): never {
    throw new McpProtocolError(-31000, 'Quota used up');
  }

  @Tool({ description: 'd' })
  dto({ amount }: Amount): number {
    return amount;
  }

  @Tool({ description: 'd' })
  hello(): string {
    return 'hello';
  }

  @Tool({ description: 'd' })
  nothing(): void {}

  @Tool({ description: 'd' })
  twice(): Observable<string> {
    return of('first', 'last');
  }

  @Tool({ description: 'd', output: z.object({ n: z.number() }) })
  unstructured(): ToolResult {
    return { content: [text('5')] };
  }

  @Resource({ uri: 'test://static-text', description: 'd' })
  fixed(): string {
    return 'fixed';
  }
}

function appOf(providers: DynamicModule['providers'] = []): DynamicModule {
  @Module({})
  class CasesModule {}
  return {
    module: CasesModule,
    imports: [McpModule.forRoot({ name: 'cases', version: '1.0.0' })],
    providers: [Cases, ...(providers ?? [])],
  };
}

describe.each(ADAPTERS)('what Nest users expect on $name', (adapter) => {
  const shared = shareApp(appOf(), adapter, { configure: (app) => void app.useGlobalPipes(new ValidationPipe()) });

  it('runs APP_GUARD and APP_INTERCEPTOR around a call, also of the run time, also with wrong arguments', async () => {
    const steps: string[] = [];
    const guard: CanActivate = { canActivate: (context) => steps.push(`guard ${context.getType()}`) > 0 };
    const interceptor: NestInterceptor = {
      intercept: (context, next) => {
        steps.push(`interceptor ${context.getType()}`);
        return next.handle();
      },
    };
    const around = [
      { provide: APP_GUARD, useValue: guard },
      { provide: APP_INTERCEPTOR, useValue: interceptor },
    ];
    await using app = await serve(appOf(around), adapter);
    await app.app.get(McpRegistry, { strict: false }).addTool({ name: 'late', description: 'd' }, () => 'late');
    const calls = [
      ['hello', {}],
      ['late', {}],
      ['dto', { amount: 'wrong' }],
    ] as const;
    for (const [tool, args] of calls) {
      steps.length = 0;
      await app.call(tool, args);
      expect(steps).toEqual(['guard http', 'interceptor http', 'guard mcp', 'interceptor mcp']);
    }
  });

  it('passes the real request to a guard that supports only HTTP', async () => {
    const signed = await shared.app.call('guarded', {}, { headers: { authorization: 'Bearer x' } });
    expect(signed.message.result.content).toMatchObject([{ text: 'guarded' }]);
    expect((await shared.app.call('guarded')).text).toContain('Forbidden resource');
  });

  it('hides and denies what a guard refuses, and nothing that it lets pass', async () => {
    const { message } = await shared.app.send('tools/list');
    const names = (message.result.tools as unknown as { name: string }[]).map(({ name }) => name);
    expect(names).not.toContain('denied');
    expect(names).toContain('allowed');
    const answer = await shared.app.call('denied');
    expect(answer.text).toContain('Forbidden resource');
    expect(answer.text).not.toContain('ran');
  });

  it('passes the message of an HttpException to the model', async () => {
    const { message } = await shared.app.call('missing');
    expect(message.result).toMatchObject({ isError: true, content: [{ text: 'Order 42 not found' }] });
  });

  it('lets a protocol error pass as it is', async () => {
    expect((await shared.app.call('protocol')).message.error).toEqual({ code: -31000, message: 'Quota used up' });
  });

  it('takes the schema from a DTO, beside a ValidationPipe', async () => {
    expect((await shared.app.call('dto', { amount: 9 })).message.result.structuredContent).toBe(9);
    const refused = await shared.app.call('dto', { amount: 10 });
    expect(refused.message.result.isError).toBe(true);
    expect(refused.text).toContain('amount');
  });

  it('answers a string as it is, and nothing with no content', async () => {
    expect((await shared.app.call('hello')).message.result.content).toEqual([{ type: 'text', text: 'hello' }]);
    expect((await shared.app.call('nothing')).message.result.content).toEqual([]);
  });

  it('answers the last value of an Observable', async () => {
    expect((await shared.app.call('twice')).message.result.content).toMatchObject([{ text: 'last' }]);
  });

  it('breaks no promise of an output schema', async () => {
    const log = new CapturedLog();
    await using app = await serve(appOf(), adapter, { configure: (nest) => log.attach(nest) });
    expect((await app.call('unstructured')).message.error.code).toBe(-32603);
    expect(log.texts('error')).toEqual([expect.stringContaining('does not fit the output schema')]);
  });

  it('does not start with two tools of one name', async () => {
    @Injectable()
    class Again {
      @Tool({ description: 'd' })
      hello(): string {
        return 'again';
      }
    }
    await expect(serve(appOf([Again]), adapter)).rejects.toThrow('hello');
  });

  it('serves below the prefix of the app', async () => {
    await using app = await serve(appOf(), adapter, {
      path: '/api/mcp',
      configure: (nest) => void nest.setGlobalPrefix('api'),
    });
    expect((await app.call('hello')).status).toBe(200);
  });

  it.each(['evil://static-text', 'test://nobody'])('returns not found for %s, with the URI', async (uri) => {
    const { message } = await shared.app.send('resources/read', { uri });
    expect(message.error).toMatchObject({ code: -32602, data: { uri } });
  });
});

const root = new URL('../../', import.meta.url);
const pathOf = (file: string): string => fileURLToPath(new URL(file, root));

describe('what users of such modules asked for', () => {
  it('is answered in full', () => {
    expect(COMPLAINTS.map(({ number }) => number)).toEqual(Array.from({ length: 46 }, (_, index) => index + 1));
  });

  it.each(
    COMPLAINTS.flatMap(({ number, wish, tested }) => (tested ?? []).map((place) => ({ number, wish, ...place }))),
  )('$number, tested: $wish', ({ spec, title }) => {
    expect(existsSync(pathOf(spec))).toBe(true);
    expect(readFileSync(pathOf(spec), 'utf8')).toContain(`'${title}'`);
  });

  it.each(COMPLAINTS.flatMap(({ number, wish, documented }) => (documented ? [{ number, wish, ...documented }] : [])))(
    '$number, documented: $wish',
    ({ page, words }) => {
      expect(readFileSync(pathOf(page), 'utf8')).toContain(words);
    },
  );

  it.each(COMPLAINTS)('$number has one status', ({ tested, documented, later }) => {
    expect([tested?.length, documented?.words, later].filter(Boolean)).toHaveLength(1);
  });
});
