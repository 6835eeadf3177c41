import { describe, expect, it } from '@jest/globals';
import {
  Catch,
  createParamDecorator,
  Injectable,
  Module,
  UseFilters,
  UseInterceptors,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, concat, defer, of, type Observable } from 'rxjs';

import { McpModule, progress, Prompt, Resource, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { shareApp } from '../support/shared-app.js';

/** The running call, as far as these tests ask it to stop. */
interface Interruptible {
  interrupt(outcome: object): never;
}

const OUTCOME = {
  kind: 'input-required',
  inputRequests: {
    name: {
      method: 'elicitation/create',
      params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
    },
  },
  requestState: 'sealed',
};

const callOf = (host: ExecutionContext): Interruptible => host.getArgByIndex<Interruptible>(2);

const Running = createParamDecorator((_data: unknown, host: ExecutionContext) => callOf(host));

@Injectable()
class Swallowing implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(catchError(() => of('swallowed by an interceptor')));
  }
}

@Injectable()
class Asking implements NestInterceptor {
  intercept(context: ExecutionContext): Observable<unknown> {
    return defer(() => callOf(context).interrupt(OUTCOME));
  }
}

const caught: unknown[] = [];

@Catch()
class Answering implements ExceptionFilter {
  catch(error: unknown): string {
    caught.push(error);
    return 'swallowed by a filter';
  }
}

@Injectable()
class Asker {
  @Tool({ description: 'Asks' })
  plain(@Running() call: Interruptible): never {
    return call.interrupt(OUTCOME);
  }

  @Tool({ description: 'Asks, and catches what it throws' })
  caught(@Running() call: Interruptible): string {
    try {
      return call.interrupt(OUTCOME);
    } catch {
      return 'swallowed by a catch';
    }
  }

  @Tool({ description: 'Asks, and throws something else instead' })
  replaced(@Running() call: Interruptible): string {
    try {
      return call.interrupt(OUTCOME);
    } catch {
      throw new Error('another error');
    }
  }

  @Tool({ description: 'Asks below an interceptor that swallows' })
  @UseInterceptors(Swallowing)
  intercepted(@Running() call: Interruptible): never {
    return call.interrupt(OUTCOME);
  }

  @Tool({ description: 'Asks below a filter that swallows' })
  @UseFilters(Answering)
  filtered(@Running() call: Interruptible): never {
    return call.interrupt(OUTCOME);
  }

  @Tool({ description: 'An interceptor asks' })
  @UseInterceptors(Swallowing, Asking)
  asked_around(): string {
    return 'never';
  }

  @Tool({ description: 'Asks twice' })
  twice(@Running() call: Interruptible): string {
    try {
      return call.interrupt(OUTCOME);
    } catch {
      return call.interrupt({ kind: 'input-required', requestState: 'second' });
    }
  }

  @Tool({ description: 'Asks in a generator' })
  async *generated(@Running() call: Interruptible): AsyncGenerator {
    yield progress(1);
    call.interrupt(OUTCOME);
  }

  @Tool({ description: 'Asks in an Observable that swallows' })
  observed(@Running() call: Interruptible): Observable<unknown> {
    return concat(
      of(progress(1)),
      defer(() => call.interrupt(OUTCOME)),
    ).pipe(catchError(() => of('swallowed by an operator')));
  }

  @Tool({ description: 'Asks, with an output schema', output: { type: 'object', required: ['a'] } })
  typed(@Running() call: Interruptible): unknown {
    try {
      return call.interrupt(OUTCOME);
    } catch {
      return {};
    }
  }

  @Prompt({ description: 'Asks' })
  prompt(@Running() call: Interruptible): never {
    return call.interrupt(OUTCOME);
  }

  @Resource({ uri: 'ask://now', description: 'Asks' })
  resource(@Running() call: Interruptible): undefined {
    try {
      return call.interrupt(OUTCOME);
    } catch {
      return undefined;
    }
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'asker', version: '1.0.0' })], providers: [Asker] })
class AskerModule {}

const TOOLS = [
  'plain',
  'caught',
  'replaced',
  'intercepted',
  'filtered',
  'asked_around',
  'twice',
  'generated',
  'observed',
  'typed',
];

const CALLS = [
  ...TOOLS.map((name) => [name, 'tools/call', { name }] as const),
  ['a prompt', 'prompts/get', { name: 'prompt' }] as const,
  ['a resource', 'resources/read', { uri: 'ask://now' }] as const,
];

describe.each(ADAPTERS)('a question to the client on $name', (adapter) => {
  const served = shareApp(AskerModule, adapter);

  it.each(CALLS)('is what %s answers', async (_name, method, params) => {
    caught.length = 0;
    const { message, status } = await served.app.send(method, params);
    expect(status).toBe(200);
    expect(message.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: OUTCOME.inputRequests,
      requestState: 'sealed',
    });
    expect(message.result).not.toHaveProperty('content');
    expect(message.result).not.toHaveProperty('ttlMs');
    expect(caught).toEqual([]);
    expect(served.log.texts('error')).toEqual([]);
  });

  it('comes after the events that were sent before it', async () => {
    const { messages } = await served.app.call('generated', {}, { meta: { progressToken: 't' } });
    expect(messages.map(({ method, result }) => method ?? result.resultType)).toEqual([
      'notifications/progress',
      'input_required',
    ]);
  });
});
