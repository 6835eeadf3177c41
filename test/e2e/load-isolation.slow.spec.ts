import { describe, expect, it } from '@jest/globals';
import {
  Inject,
  Injectable,
  Module,
  Scope,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';

import { McpContext, McpModule, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { Gate } from '../support/gate.js';
import { mcpRequest } from '../support/mcp-request.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { SseStream } from '../support/sse-stream.js';
import type { WireMessage } from '../support/wire-oracle.js';

const CALLERS = 200;
/** Every caller's first call, so to speak: ids and tokens are unique for one client alone. */
const SAME = { id: 1, meta: { progressToken: 1 } } as const;

interface Identity {
  readonly user: string;
}

interface CallerRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  mcpAuth?: Identity;
  mcpCancellationScope?: string;
}

/** Stands for any guard that knows its callers; with a device, calls can be cancelled by notification. */
@Injectable()
class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const { 'x-caller': user, 'x-device': device } = request.headers;
    if (user === undefined) return false;
    request.mcpAuth = { user };
    if (device !== undefined) request.mcpCancellationScope = device;
    return true;
  }
}

/** Says who is asking only when the test opens the door of that caller. */
@Injectable()
class Doors {
  private readonly gates = new Map<string, Gate>();
  readonly aborted: string[] = [];

  gate(key: string): Gate {
    const gate = this.gates.get(key) ?? new Gate();
    this.gates.set(key, gate);
    return gate;
  }

  async answer(place: string, ctx: McpContext): Promise<string> {
    const key = `${place} ${userOf(ctx.auth)}`;
    ctx.signal.addEventListener('abort', () => this.aborted.push(key));
    await ctx.progress(1, 3, `${place} asks ${userOf(ctx.auth)}`);
    await this.gate(key).opened;
    await ctx.progress(2, 3, `${place} still asks ${userOf(ctx.auth)}`);
    return `${place} knows ${userOf(ctx.auth)}`;
  }
}

const userOf = (auth: unknown): string => (auth as Identity).user;

@Injectable()
class SharedTool {
  constructor(@Inject(Doors) private readonly doors: Doors) {}

  @Tool({ description: 'Who is asking', server: 'main' })
  whoami(ctx: McpContext): Promise<string> {
    return this.doors.answer('main', ctx);
  }

  @Tool({ description: 'Who is asking', name: 'whoami', server: 'side' })
  whoami_aside(ctx: McpContext): Promise<string> {
    return this.doors.answer('side', ctx);
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedTool {
  constructor(
    @Inject(Doors) private readonly doors: Doors,
    @Inject(REQUEST) private readonly request: CallerRequest,
  ) {}

  @Tool({ description: 'Who is asking, by the injected request', server: 'main' })
  async scoped(ctx: McpContext): Promise<string> {
    const answer = await this.doors.answer('main', ctx);
    return this.request.mcpAuth?.user === userOf(ctx.auth) ? answer : 'somebody else';
  }
}

const server = (name: string): DynamicModule =>
  McpModule.forRoot({
    name,
    version: '1.0.0',
    server: name,
    path: `/${name}/mcp`,
    http: { guards: [CallerGuard] },
    limits: { maxConcurrency: CALLERS },
  });

@Module({ imports: [server('main'), server('side')], providers: [Doors, SharedTool, ScopedTool] })
class TwoServersModule {}

interface Visit {
  readonly user: string;
  readonly place: 'main' | 'side';
  readonly tool: string;
}

async function visit({ origin }: ServedApp, { user, place, tool }: Visit, device?: string): Promise<SseStream> {
  const headers = { 'x-caller': user, 'x-device': device };
  const posted = mcpRequest('tools/call', { name: tool }, { ...SAME, headers });
  return SseStream.open(origin, posted, { path: `/${place}/mcp`, method: 'tools/call' });
}

type Line = readonly [place: string, text: unknown];

/** What a caller must hear, and nothing else. */
const dialogue = ({ user, place }: Visit): Line[] => [
  ['token 1', `${place} asks ${user}`],
  ['token 1', `${place} still asks ${user}`],
  ['id 1', `${place} knows ${user}`],
];

const heard = (messages: readonly WireMessage[]): Line[] =>
  messages.map(({ id, params, result }) => {
    if (params !== undefined) return [`token ${JSON.stringify(params['progressToken'])}`, params['message']];
    return [`id ${id}`, (result['content'] as unknown as { text: string }[])[0].text];
  });

/** An order that has nothing to do with that of the calls, the same in each run. */
function shuffled<T>(items: readonly T[]): T[] {
  const order = [...items];
  let state = 20_260_728;
  for (let last = order.length - 1; last > 0; last -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = state % (last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** All calls are in the air before the first door opens; what each caller heard. */
async function converse(served: ServedApp, visits: readonly Visit[], device?: string): Promise<Line[][]> {
  const doors = served.app.get(Doors);
  const streams = await Promise.all(visits.map((one) => visit(served, one, device)));
  await Promise.all(streams.map((stream) => stream.until(({ messages }) => messages.length === 1)));
  for (const { place, user } of shuffled(visits)) doors.gate(`${place} ${user}`).open();
  const answers = await Promise.all(streams.map((stream) => stream.whole()));
  return answers.map(heard);
}

const visitsOf = (place: Visit['place'], count: number, tool = 'whoami'): Visit[] =>
  Array.from({ length: count }, (_, index) => ({ user: `${tool} caller ${index}`, place, tool }));

describe.each(ADAPTERS)('callers that all count from 1 on $name', (adapter) => {
  it('get their own progress and their own answer', async () => {
    await using served = await serve(TwoServersModule, adapter);
    const visits = visitsOf('main', CALLERS);
    expect(await converse(served, visits)).toEqual(visits.map(dialogue));
  });

  it('get them from request-scoped providers and from shared ones', async () => {
    await using served = await serve(TwoServersModule, adapter);
    const visits = shuffled([...visitsOf('main', 50), ...visitsOf('main', 50, 'scoped')]);
    expect(await converse(served, visits)).toEqual(visits.map(dialogue));
  });

  it('get them from the server that they asked', async () => {
    await using served = await serve(TwoServersModule, adapter);
    const visits = shuffled([...visitsOf('main', CALLERS / 2), ...visitsOf('side', CALLERS / 2)]);
    expect(await converse(served, visits)).toEqual(visits.map(dialogue));
  });

  it('get them when they have named their device alike', async () => {
    await using served = await serve(TwoServersModule, adapter);
    const visits = visitsOf('main', 50);
    expect(await converse(served, visits, 'laptop')).toEqual(visits.map(dialogue));
  });

  it('cancel only their own call', async () => {
    await using served = await serve(TwoServersModule, adapter);
    const doors = served.app.get(Doors);
    const visits = [...visitsOf('main', 5), ...visitsOf('side', 5)];
    const streams = await Promise.all(visits.map((one) => visit(served, one, 'laptop')));
    await Promise.all(streams.map((stream) => stream.until(({ messages }) => messages.length === 1)));
    const cancel = mcpRequest('notifications/cancelled', { requestId: 1 }, { headers: { 'x-device': 'laptop' } });
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    const { status } = await fetch(`${served.origin}/main/mcp`, {
      method: 'POST',
      headers: { ...cancel.headers, 'x-caller': visits[2].user },
      body,
    });
    expect(status).toBe(202);
    expect(await streams[2].closed).toBe('ended');
    expect(heard(streams[2].messages)).toEqual([dialogue(visits[2])[0]]);
    expect(doors.aborted).toEqual(['main whoami caller 2']);
    for (const { place, user } of visits) doors.gate(`${place} ${user}`).open();
    const others = visits.filter((_visit, index) => index !== 2);
    const answers = await Promise.all(streams.filter((_stream, index) => index !== 2).map((stream) => stream.whole()));
    expect(answers.map(heard)).toEqual(others.map(dialogue));
  });
});
