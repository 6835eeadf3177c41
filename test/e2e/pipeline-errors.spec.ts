import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  Catch,
  ConflictException,
  ForbiddenException,
  HttpException,
  Injectable,
  InternalServerErrorException,
  Module,
  NotFoundException,
  ServiceUnavailableException,
  UnauthorizedException,
  UseFilters,
  type ArgumentsHost,
  type ExceptionFilter,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter } from '@nestjs/core';
import { z } from 'zod';

import {
  InvalidArgumentsError,
  McpExecutionContext,
  McpModule,
  McpProtocolError,
  Prompt,
  Resource,
  Tool,
  type ToolArgs,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { referenceOf } from '../support/reference.js';
import { CapturedLog } from '../support/captured-log.js';
import { serve } from '../support/served-app.js';
import { shareApp } from '../support/shared-app.js';

const SECRET = 'hush-7';

class BusinessError extends Error {}

const hostile = Object.defineProperty(new Error(SECRET), 'message', {
  get() {
    throw new Error(SECRET);
  },
});

const circular: Record<string, unknown> = {};
circular['self'] = circular;

/** What a handler throws. */
const THROWN: Readonly<Record<string, unknown>> = {
  bad: new BadRequestException('Choose 1 to 9'),
  list: new BadRequestException(['name is too short', 'age is missing']),
  missing: new NotFoundException('Order 42 not found'),
  conflict: new ConflictException('Taken'),
  unauthorized: new UnauthorizedException('Upstream login expired'),
  forbidden: new ForbiddenException('Not yours'),
  custom: new HttpException('I am a teapot', 418),
  detailed: new HttpException({ message: 'Readable', internal: SECRET }, 422),
  'without message': new HttpException({ internal: SECRET }, 400),
  protocol: new McpProtocolError(-31000, 'Quota used up', { retryAfter: 5 }),
  'protocol without data': new McpProtocolError(7, 'Seven'),
  'method not found': new McpProtocolError(-32601, 'Not here'),
  capability: new McpProtocolError(-32021, 'Needs elicitation', { requiredCapabilities: { elicitation: {} } }),
  'protocol with bad data': new McpProtocolError(7, 'Seven', circular),
  error: new Error(SECRET),
  business: new BusinessError(SECRET),
  server: new InternalServerErrorException(SECRET),
  unavailable: new ServiceUnavailableException(SECRET),
  string: SECRET,
  undefined: undefined,
  null: null,
  object: { message: SECRET, code: 5 },
  hostile,
};

const EXPLAINED: readonly (readonly [string, string])[] = [
  ['bad', 'Choose 1 to 9'],
  ['list', 'name is too short; age is missing'],
  ['missing', 'Order 42 not found'],
  ['conflict', 'Taken'],
  ['unauthorized', 'Upstream login expired'],
  ['forbidden', 'Not yours'],
  ['custom', 'I am a teapot'],
  ['detailed', 'Readable'],
  ['without message', 'Http Exception'],
];

const HIDDEN = [
  'error',
  'business',
  'server',
  'unavailable',
  'string',
  'undefined',
  'null',
  'object',
  'hostile',
  'protocol with bad data',
];

const given = z.object({ what: z.string() });

@Injectable()
class Thrower {
  @Tool({ description: 'Throws', input: given })
  throw_now({ what }: ToolArgs<typeof given>): never {
    throw THROWN[what];
  }

  @Tool({ description: 'Rejects', input: given })
  async reject_later({ what }: ToolArgs<typeof given>): Promise<never> {
    await Promise.resolve();
    throw THROWN[what];
  }

  @Tool({ description: 'Throws the words of its client', input: given })
  echo_error({ what }: ToolArgs<typeof given>): never {
    throw new Error(`no ${what}`);
  }

  @Resource({ uri: 'thrown://{what}', description: 'Throws' })
  read({ what }: { what: string }): never {
    throw THROWN[decodeURIComponent(what)];
  }

  @Prompt({ description: 'Throws', input: given })
  prompt({ what }: ToolArgs<typeof given>): never {
    throw THROWN[what];
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'thrower', version: '1.0.0' })], providers: [Thrower] })
class ThrowerModule {}

describe.each(ADAPTERS)('thrown errors on $name', (adapter) => {
  const served = shareApp(ThrowerModule, adapter);

  it.each(EXPLAINED)('%s fails the tool with words for the model', async (what, words) => {
    for (const tool of ['throw_now', 'reject_later']) {
      const { message, status, text } = await served.app.call(tool, { what });
      expect(status).toBe(200);
      expect(message.result).toMatchObject({ isError: true, content: [{ type: 'text', text: words }] });
      expect(text).not.toContain(SECRET);
    }
    expect(served.log.texts('error')).toEqual([]);
  });

  it.each([
    ['protocol', 200, { code: -31000, message: 'Quota used up', data: { retryAfter: 5 } }],
    ['protocol without data', 200, { code: 7, message: 'Seven' }],
    ['method not found', 404, { code: -32601, message: 'Not here' }],
    [
      'capability',
      400,
      { code: -32021, message: 'Needs elicitation', data: { requiredCapabilities: { elicitation: {} } } },
    ],
  ])('%s passes as it is', async (what, expected, error) => {
    const calls = [
      served.app.call('throw_now', { what }, { headers: { accept: 'application/json' } }),
      served.app.send(
        'resources/read',
        { uri: `thrown://${encodeURIComponent(what)}` },
        { headers: { accept: 'application/json' } },
      ),
      served.app.send(
        'prompts/get',
        { name: 'prompt', arguments: { what } },
        { headers: { accept: 'application/json' } },
      ),
    ];
    for (const { message, status } of await Promise.all(calls)) {
      expect(message.error).toEqual(error);
      expect(status).toBe(expected);
    }
    expect(served.log.texts('error')).toEqual([]);
  });

  it.each(HIDDEN)('%s stays in the log, with a reference', async (what) => {
    const answers = [
      await served.app.call('throw_now', { what }),
      await served.app.send('resources/read', { uri: `thrown://${encodeURIComponent(what)}` }),
      await served.app.send('prompts/get', { name: 'prompt', arguments: { what } }),
    ];
    const lines = served.log.lines.filter(({ level }) => level === 'error');
    expect(lines).toHaveLength(answers.length);
    for (const [index, { message, text, status }] of answers.entries()) {
      expect(status).toBe(200);
      expect(message.error).toEqual({
        code: -32603,
        message: 'Internal error',
        data: { reference: expect.any(String) },
      });
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain('Thrower');
      expect(lines[index]?.text).toContain(referenceOf(message));
    }
  });

  it('has one line for each message, for any text of a client', async () => {
    await served.app.call('echo_error', { what: 'x\n[Nest] 1  - ERROR [Auth] forged\u001b[2J' });
    await served.app.call('echo_error', { what: 'y'.repeat(50_000) });
    const [forged, long] = served.log.lines.filter(({ level }) => level === 'error');
    expect(forged?.text).toMatch(
      /^Thrower\.echo_error failed \[[\w-]+\]: no x\\n\[Nest\] 1 {2}- ERROR \[Auth\] forged\\u001b\[2J$/,
    );
    for (const line of (forged?.stack ?? '').split('\n').slice(1)) expect(line).toMatch(/^ {4}at /);
    expect(long?.text.length).toBeLessThan(2_200);
    expect(long?.text).toContain('… (cut, ');
  });

  it('logs owner, message and stack of an unknown error', async () => {
    await served.app.call('reject_later', { what: 'business' });
    const [line] = served.log.lines;
    expect(line).toMatchObject({ level: 'error', context: 'McpHandler' });
    expect(line?.text).toMatch(/^Thrower\.reject_later failed \[[0-9a-f-]{36}\]: hush-7$/);
    expect(line?.stack).toContain('pipeline-errors.spec');
  });

  it('logs a thrown string', async () => {
    await served.app.call('throw_now', { what: 'string' });
    expect(served.log.texts('error')[0]).toContain(SECRET);
  });
});

@Catch(BusinessError)
class BusinessFilter implements ExceptionFilter {
  catch(error: BusinessError): never {
    throw new ConflictException(`Translated from ${error.constructor.name}`);
  }
}

@Catch(NotFoundException)
class ReplacingFilter implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): unknown {
    return { replaced: McpExecutionContext.create(host).getComponent() };
  }
}

@Catch(ConflictException)
class ProtocolFilter implements ExceptionFilter {
  async catch(): Promise<never> {
    await Promise.resolve();
    throw new McpProtocolError(409, 'By the filter');
  }
}

@Injectable()
@UseFilters(BusinessFilter, new ReplacingFilter())
class Filtered {
  @Tool({ description: 'Throws', input: given })
  by_class({ what }: ToolArgs<typeof given>): never {
    throw THROWN[what];
  }

  @Tool({ description: 'Throws', input: given })
  @UseFilters(ProtocolFilter)
  by_method({ what }: ToolArgs<typeof given>): never {
    throw THROWN[what];
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'filtered', version: '1.0.0' })], providers: [Filtered] })
class FilteredModule {}

describe.each(ADAPTERS)('exception filters on $name', (adapter) => {
  const served = shareApp(FilteredModule, adapter);

  it('turn one error into another', async () => {
    const { message } = await served.app.call('by_class', { what: 'business' });
    expect(message.result).toMatchObject({ isError: true, content: [{ text: 'Translated from BusinessError' }] });
    expect(served.log.texts('error')).toEqual([]);
  });

  it('answer in place of the handler', async () => {
    const { message } = await served.app.call('by_class', { what: 'missing' });
    expect(message.result.structuredContent).toEqual({ replaced: { kind: 'tool', name: 'by_class' } });
  });

  it('turn an error into a protocol error', async () => {
    const { message } = await served.app.call('by_method', { what: 'conflict' });
    expect(message.error).toEqual({ code: 409, message: 'By the filter' });
  });

  it('do not affect errors that they do not catch', async () => {
    expect((await served.app.call('by_class', { what: 'conflict' })).message.result.content).toMatchObject([
      { text: 'Taken' },
    ]);
    expect((await served.app.call('by_class', { what: 'error' })).message.error.code).toBe(-32603);
  });

  it('see arguments that the schema refuses as a 400', async () => {
    const { message } = await served.app.call('by_class', { what: 5 });
    expect(message.result.isError).toBe(true);
  });
});

const seen: unknown[] = [];

@Catch()
class SilentFilter implements ExceptionFilter {
  catch(error: unknown): undefined {
    seen.push(error);
    return undefined;
  }
}

@Catch()
class SilentLaterFilter implements ExceptionFilter {
  async catch(thrown: unknown): Promise<undefined> {
    await Promise.resolve();
    seen.push(thrown);
    return undefined;
  }
}

@Catch()
class NullFilter implements ExceptionFilter {
  catch(error: unknown): null {
    seen.push(error);
    return null;
  }
}

interface Replying {
  status(code: number): Replying;
  header(name: string, value: string): Replying;
  send(body: unknown): Replying;
}

/** As many apps have it: answers the HTTP response, whatever the context. */
@Catch()
class HttpFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    seen.push(error);
    const response = host.switchToHttp().getResponse<Replying>();
    response.status(500).send({ statusCode: 500, by: 'the filter' });
  }
}

/** As others have it: hands the response on. */
@Catch()
class ChainingFilter implements ExceptionFilter {
  async catch(thrown: unknown, host: ArgumentsHost): Promise<unknown> {
    await Promise.resolve();
    seen.push(thrown);
    const response = host.switchToHttp().getResponse<Replying>();
    response.header('x-by', 'the filter');
    return response.status(500).send('by the filter');
  }
}

/** Nest's own way to answer whatever is left. */
@Catch()
class BaseFilter extends BaseExceptionFilter {
  override catch(thrown: unknown, host: ArgumentsHost): void {
    seen.push(thrown);
    BaseExceptionFilter.prototype.catch.call(this, thrown, host);
  }
}

@Catch()
class BrokenFilter implements ExceptionFilter {
  catch(error: unknown): never {
    seen.push(error);
    throw new TypeError('response.status is not a function');
  }
}

@Injectable()
class Plain {
  @Tool({ description: 'Throws', input: given })
  throw_now({ what }: ToolArgs<typeof given>): never {
    throw THROWN[what];
  }

  @Tool({ description: 'Does not' })
  fine(): string {
    return 'fine';
  }
}

function withFilter(filter: Type<ExceptionFilter>): Type<unknown> {
  const bound: Provider = { provide: APP_FILTER, useClass: filter };
  @Module({ imports: [McpModule.forRoot({ name: 'plain', version: '1.0.0' })], providers: [Plain, bound] })
  class PlainModule {}
  return PlainModule;
}

describe.each(ADAPTERS)('catch-all filters on $name', (adapter) => {
  it.each([SilentFilter, SilentLaterFilter, NullFilter, HttpFilter, ChainingFilter, BaseFilter])(
    '%p turns no error into a success',
    async (filter) => {
      const log = new CapturedLog();
      await using app = await serve(withFilter(filter), adapter, { configure: (nest) => log.attach(nest) });
      seen.length = 0;
      const explained = await app.call('throw_now', { what: 'bad' });
      expect(explained.status).toBe(200);
      expect(explained.message.result).toMatchObject({ isError: true, content: [{ text: 'Choose 1 to 9' }] });
      const refused = await app.call('throw_now', { what: 5 });
      expect(refused.message.result.isError).toBe(true);
      const hidden = await app.call('throw_now', { what: 'error' });
      expect(hidden.message.error).toMatchObject({ code: -32603, data: { reference: expect.any(String) } });
      expect(seen).toEqual([THROWN['bad'], expect.any(InvalidArgumentsError), THROWN['error']]);
      expect((await app.call('fine')).message.result.content).toMatchObject([{ text: 'fine' }]);
    },
  );

  it('that breaks itself is the error that counts, and is logged', async () => {
    const log = new CapturedLog();
    await using app = await serve(withFilter(BrokenFilter), adapter, { configure: (nest) => log.attach(nest) });
    const { message } = await app.call('throw_now', { what: 'bad' });
    expect(message.error.code).toBe(-32603);
    expect(log.texts('error')).toEqual([expect.stringContaining('response.status is not a function')]);
  });
});
