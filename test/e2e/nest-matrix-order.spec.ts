import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  Catch,
  Injectable,
  Module,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ArgumentMetadata,
  type CanActivate,
  type ExceptionFilter,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import {
  IsOptional,
  IsString,
  Validate,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { tap } from 'rxjs';
import { z } from 'zod';

import {
  Completion,
  McpModule,
  McpRegistry,
  Prompt,
  Resource,
  Tool,
  type ComponentEnhancers,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { mcpRequest } from '../support/mcp-request.js';
import { shareApp } from '../support/shared-app.js';

const trail: string[] = [];
/** Where a guard refuses, as `http endpoint` or `mcp class`. */
let refusing = '';

const note = (step: string): number => trail.push(step);

interface Replying {
  status(code: number): Replying;
  send(body: object): unknown;
}

interface Tracing {
  readonly guard: Type<CanActivate>;
  readonly interceptor: Type<NestInterceptor>;
  readonly pipe: Type<PipeTransform>;
  readonly filter: Type<ExceptionFilter>;
}

function tracing(place: string, scope = Scope.DEFAULT): Tracing {
  @Injectable({ scope })
  class TracingGuard implements CanActivate {
    canActivate(context: { getType(): string }): boolean {
      note(`${place} guard ${context.getType()}`);
      return refusing !== `${context.getType()} ${place}`;
    }
  }
  @Injectable({ scope })
  class TracingInterceptor implements NestInterceptor {
    intercept(...[context, next]: Parameters<NestInterceptor['intercept']>): ReturnType<NestInterceptor['intercept']> {
      const type = context.getType<string>();
      note(`${place} interceptor ${type}`);
      // The route answers nothing through Nest.
      return next.handle().pipe(tap(() => (type === 'mcp' ? note(`${place} interceptor back`) : 0)));
    }
  }
  @Injectable({ scope })
  class TracingPipe implements PipeTransform {
    transform(value: unknown, { type }: ArgumentMetadata): unknown {
      if (type === 'body') note(`${place} pipe`);
      return value;
    }
  }
  @Catch()
  @Injectable({ scope })
  class TracingFilter implements ExceptionFilter {
    catch(...[error, host]: Parameters<ExceptionFilter['catch']>): unknown {
      note(`${place} filter ${host.getType<string>()}`);
      if (host.getType<string>() === 'mcp') throw error;
      return host.switchToHttp().getResponse<Replying>().status(403).send({ by: place });
    }
  }
  return { guard: TracingGuard, interceptor: TracingInterceptor, pipe: TracingPipe, filter: TracingFilter };
}

@ValidatorConstraint()
class Noted implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    note('schema');
    return value !== 'refused';
  }
}

class Variables {
  @IsString() @Validate(Noted) a!: string;
  @IsOptional() @IsString() uri?: string;
}

const input = z.object({
  a: z.string().refine((value) => {
    note('schema');
    return value !== 'refused';
  }),
});

const handled = ({ a }: { a?: unknown }): string => {
  note('handler');
  if (a === 'thrown') throw new Error('thrown');
  return 'done';
};

/** What a completion or a resource of one address is asked for cannot be told apart by arguments. */
let throwing = false;

const plain = (): string => handled(throwing ? { a: 'thrown' } : {});

const onClass = tracing('class');
const onMethod = tracing('method');

@Injectable()
@UseGuards(onClass.guard)
@UseInterceptors(onClass.interceptor)
@UsePipes(onClass.pipe)
@UseFilters(onClass.filter)
class Traced {
  @Tool({ description: 'd', input })
  @UseGuards(onMethod.guard)
  @UseInterceptors(onMethod.interceptor)
  @UsePipes(onMethod.pipe)
  @UseFilters(onMethod.filter)
  tool(args: { a: string }): string {
    return handled(args);
  }

  @Prompt({ description: 'd', input })
  @UseGuards(onMethod.guard)
  @UseInterceptors(onMethod.interceptor)
  @UsePipes(onMethod.pipe)
  @UseFilters(onMethod.filter)
  prompt(args: { a: string }): string {
    return handled(args);
  }

  @Resource({ uri: 'docs://{a}/template', description: 'd' })
  @UseGuards(onMethod.guard)
  @UseInterceptors(onMethod.interceptor)
  @UsePipes(onMethod.pipe)
  @UseFilters(onMethod.filter)
  template(variables: Variables): string {
    return handled(variables);
  }

  @Resource({ uri: 'docs://exact', description: 'd' })
  @UseGuards(onMethod.guard)
  @UseInterceptors(onMethod.interceptor)
  @UsePipes(onMethod.pipe)
  @UseFilters(onMethod.filter)
  resource(_variables: object): string {
    return plain();
  }

  @Completion({ prompt: 'prompt', argument: 'a' })
  @UseGuards(onMethod.guard)
  @UseInterceptors(onMethod.interceptor)
  @UsePipes(onMethod.pipe)
  @UseFilters(onMethod.filter)
  completion(_query: object): string[] {
    return [plain()];
  }
}

interface Kind {
  readonly schema: boolean;
  /** Enhancers nearest to the handler come last. */
  readonly places: readonly string[];
  readonly ask: (a: string) => readonly [string, Record<string, unknown>];
}

const DECLARED = ['app', 'class', 'method'];

const KINDS: Readonly<Record<string, Kind>> = {
  tool: { schema: true, places: DECLARED, ask: (a) => ['tools/call', { name: 'tool', arguments: { a } }] },
  prompt: { schema: true, places: DECLARED, ask: (a) => ['prompts/get', { name: 'prompt', arguments: { a } }] },
  template: { schema: true, places: DECLARED, ask: (a) => ['resources/read', { uri: `docs://${a}/template` }] },
  resource: { schema: false, places: DECLARED, ask: () => ['resources/read', { uri: 'docs://exact' }] },
  completion: {
    schema: false,
    places: DECLARED,
    ask: (value) => [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'a', value } },
    ],
  },
  'function of the run time': {
    schema: true,
    places: ['app', 'registration'],
    ask: (a) => ['tools/call', { name: 'late', arguments: { a } }],
  },
  'method of the run time': {
    schema: true,
    places: [...DECLARED, 'registration'],
    ask: (a) => ['tools/call', { name: 'late_method', arguments: { a } }],
  },
};

function enhancersOf({ guard, interceptor, pipe, filter }: Tracing): ComponentEnhancers {
  return { guards: [guard], interceptors: [interceptor], pipes: [pipe], filters: [filter] };
}

function appModule(scope: Scope): Type<unknown> {
  const app = tracing('app', scope);
  const endpoint = tracing('endpoint');
  @Module({
    imports: [
      McpModule.forRoot({
        name: 'order',
        version: '1.0.0',
        http: { guards: [endpoint.guard], interceptors: [endpoint.interceptor] },
      }),
    ],
    providers: [
      ...[Traced, endpoint.guard, endpoint.interceptor],
      { provide: APP_GUARD, useClass: app.guard },
      { provide: APP_INTERCEPTOR, useClass: app.interceptor },
      { provide: APP_PIPE, useClass: app.pipe },
      { provide: APP_FILTER, useClass: app.filter },
    ],
  })
  class OrderModule {}
  return OrderModule;
}

/** What every request passes before anything of a component. */
const ROUTE = ['app guard http', 'endpoint guard http', 'app interceptor http', 'endpoint interceptor http'];

const all = (places: readonly string[], step: string): string[] => places.map((place) => `${place} ${step}`);

describe.each(ADAPTERS)('the one order of all kinds on $name', (adapter) => {
  describe.each([
    ['of the app', Scope.DEFAULT],
    ['that are request-scoped', Scope.REQUEST],
    ['that are transient', Scope.TRANSIENT],
  ])('with global enhancers %s', (_which, scope) => {
    const shared = shareApp(appModule(scope), adapter);
    beforeAll(async () => {
      const registry = shared.app.app.get(McpRegistry, { strict: false });
      const around = enhancersOf(tracing('registration'));
      await registry.addTool({ name: 'late', description: 'd', input }, handled, around);
      await registry.addTool({ name: 'late_method', description: 'd', input }, [Traced, 'tool'], around);
    });

    const asking = async ({ ask }: Kind, a: string, { at = '', fails = false } = {}): Promise<readonly string[]> => {
      trail.length = 0;
      refusing = at;
      throwing = fails;
      const { headers, body } = mcpRequest(...ask(a));
      await (await fetch(shared.app.url, { method: 'POST', headers, body })).text();
      return [...trail];
    };

    it.each(Object.entries(KINDS))('%s: everything once, in this order', async (_kind, kind) => {
      const { places, schema } = kind;
      expect(await asking(kind, 'fine')).toEqual([
        ...ROUTE,
        ...all(places, 'guard mcp'),
        ...all(places, 'interceptor mcp'),
        ...(schema ? ['schema'] : []),
        ...all(places, 'pipe'),
        'handler',
        ...all(places.toReversed(), 'interceptor back'),
      ]);
    });

    it.each(Object.entries(KINDS))('%s: an error meets the nearest filter, once', async (_kind, kind) => {
      const { places, schema } = kind;
      expect(await asking(kind, 'thrown', { fails: true })).toEqual([
        ...ROUTE,
        ...all(places, 'guard mcp'),
        ...all(places, 'interceptor mcp'),
        ...(schema ? ['schema'] : []),
        ...all(places, 'pipe'),
        'handler',
        `${places.at(-1)} filter mcp`,
      ]);
    });

    it.each(Object.entries(KINDS).filter(([, { schema }]) => schema))(
      '%s: the schema speaks after guards and interceptors, before pipes',
      async (_kind, kind) => {
        const { places } = kind;
        expect(await asking(kind, 'refused')).toEqual([
          ...ROUTE,
          ...all(places, 'guard mcp'),
          ...all(places, 'interceptor mcp'),
          'schema',
          `${places.at(-1)} filter mcp`,
        ]);
      },
    );

    it.each(Object.entries(KINDS))('%s: a refusal of any guard ends the call', async (_kind, kind) => {
      const { places } = kind;
      const guards = all(places, 'guard mcp');
      for (const [index, place] of places.entries()) {
        expect(await asking(kind, 'refused', { at: `mcp ${place}` })).toEqual([
          ...ROUTE,
          ...guards.slice(0, index + 1),
          `${places.at(-1)} filter mcp`,
        ]);
      }
      expect(await asking(kind, 'refused', { at: 'http app' })).toEqual(['app guard http', 'app filter http']);
      expect(await asking(kind, 'refused', { at: 'http endpoint' })).toEqual([...ROUTE.slice(0, 2), 'app filter http']);
    });
  });
});
