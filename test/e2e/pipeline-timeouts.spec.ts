import { describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Module,
  RequestTimeoutException,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, defer, finalize, from, mergeMap, NEVER, of, race, retry, throwError, type Observable } from 'rxjs';

import { ConcurrencyInterceptor, McpContext, McpModule, Signal, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { Gate } from '../support/gate.js';
import { serve } from '../support/served-app.js';
import { shareApp } from '../support/shared-app.js';

/** What a tool has seen of its end; a test empties it. */
const ends = { running: new Gate(), elapsed: new Gate(), signals: [] as AbortSignal[], torn: new Gate() };

const anew = (): void => {
  Object.assign(ends, { running: new Gate(), elapsed: new Gate(), signals: [], torn: new Gate() });
};

/** The timeout of Nest's documentation, by the clock of the test. */
@Injectable()
class TimingOut implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType<string>() !== 'mcp') return next.handle();
    const timeout = from(ends.elapsed.opened).pipe(mergeMap(() => throwError(() => new RequestTimeoutException())));
    return race(next.handle(), timeout);
  }
}

@Injectable()
class AnsweringInstead implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(catchError(() => of('instead')));
  }
}

/** Tries once more; the first run takes too long. */
@Injectable()
class Retrying implements NestInterceptor {
  private runs = 0;

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return defer(() => {
      this.runs += 1;
      const late = from(ends.elapsed.opened).pipe(mergeMap(() => throwError(() => new RequestTimeoutException())));
      return this.runs % 2 === 1 ? race(next.handle(), late) : next.handle();
    }).pipe(retry(1));
  }
}

@Injectable()
class Patient {
  @Tool({ description: 'Waits until its signal aborts' })
  @UseInterceptors(TimingOut)
  timed(@Signal() signal: AbortSignal): Promise<string> {
    return aborted(signal);
  }

  @Tool({ description: 'Looks at its signal late' })
  @UseInterceptors(TimingOut)
  async looking(ctx: McpContext): Promise<string> {
    ends.running.open();
    await ends.elapsed.opened;
    await new Promise((resolve) => setImmediate(resolve));
    return aborted(ctx.signal);
  }

  @Tool({ description: 'Waits in a place of its own' })
  @UseInterceptors(TimingOut, new ConcurrencyInterceptor({ maxConcurrency: 1 }))
  placed(@Signal() signal: AbortSignal): Promise<string> {
    return aborted(signal);
  }

  @Tool({ description: 'Waits, and something else is answered' })
  @UseInterceptors(AnsweringInstead, TimingOut)
  answered(@Signal() signal: AbortSignal): Promise<string> {
    return aborted(signal);
  }

  @Tool({ description: 'Tells steps for ever' })
  @UseInterceptors(TimingOut)
  endless(@Signal() signal: AbortSignal): Observable<unknown> {
    ends.signals.push(signal);
    ends.running.open();
    return NEVER.pipe(finalize(() => ends.torn.open()));
  }

  @Tool({ description: 'Runs twice' })
  @UseInterceptors(Retrying)
  retried(@Signal() signal: AbortSignal): Promise<string> | string {
    if (ends.signals.length > 0) {
      ends.signals.push(signal);
      return 'second';
    }
    return aborted(signal);
  }

  @Tool({ description: 'Is in time' })
  @UseInterceptors(TimingOut)
  async quick(@Signal() signal: AbortSignal): Promise<string> {
    ends.signals.push(signal);
    await Promise.resolve();
    return 'quick';
  }
}

async function aborted(signal: AbortSignal): Promise<string> {
  ends.signals.push(signal);
  ends.running.open();
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  ends.torn.open();
  return 'aborted';
}

const reasonsOf = (signals: readonly AbortSignal[]): unknown[] =>
  signals.map(({ reason }) => (reason as { reason?: unknown } | undefined)?.reason);

@Module({ imports: [McpModule.forRoot({ name: 'patient', version: '1.0.0' })], providers: [Patient] })
class PatientModule {}

describe.each(ADAPTERS)('an interceptor of type mcp that ends a call on $name', (adapter) => {
  describe.each([
    ['bound to the tool', {}],
    ['of the app', { configure: (app: INestApplication) => void app.useGlobalInterceptors(new TimingOut()) }],
  ])('%s', (_place, options) => {
    const served = shareApp(PatientModule, adapter, options);

    it.each(['timed', 'looking', 'endless', 'placed'])('aborts the signal of the handler: %s', async (name) => {
      anew();
      const answering = served.app.call(name);
      await ends.running.opened;
      ends.elapsed.open();
      expect((await answering).message.result).toMatchObject({
        isError: true,
        content: [{ text: 'Request Timeout' }],
      });
      await ends.torn.opened;
      expect(reasonsOf(ends.signals)).toEqual(['interceptor']);
    });

    it('does not abort the signal of a completed run', async () => {
      anew();
      expect((await served.app.call('quick')).message.result.content).toEqual([{ type: 'text', text: 'quick' }]);
      expect(ends.signals.map((signal) => signal.aborted)).toEqual([false]);
    });
  });

  it('aborts the signal if another value was answered', async () => {
    await using app = await serve(PatientModule, adapter);
    anew();
    const answering = app.call('answered');
    await ends.running.opened;
    ends.elapsed.open();
    expect((await answering).message.result.content).toEqual([{ type: 'text', text: 'instead' }]);
    await ends.torn.opened;
    expect(reasonsOf(ends.signals)).toEqual(['interceptor']);
  });

  it('and runs it once more gives it another signal', async () => {
    await using app = await serve(PatientModule, adapter);
    anew();
    const answering = app.call('retried');
    await ends.running.opened;
    ends.elapsed.open();
    expect((await answering).message.result.content).toEqual([{ type: 'text', text: 'second' }]);
    expect(reasonsOf(ends.signals)).toEqual(['interceptor', undefined]);
  });
});
