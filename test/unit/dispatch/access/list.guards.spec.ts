import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  ForbiddenException,
  HttpException,
  Injectable,
  Scope,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type INestApplicationContext,
} from '@nestjs/common';
import { of } from 'rxjs';

import { ListGuards } from '../../../../lib/dispatch/access/list.guards.js';
import { GuardRound, type GuardVerdict } from '../../../../lib/dispatch/access/guard.round.js';
import { Deliberation } from '../../../../lib/dispatch/access/deliberation.js';
import { CacheDecision, McpExecutionContext, NotForListing, Tool } from '../../../../lib/index.js';
import type { OperationRequest } from '../../../../lib/model/operation.js';
import { ComponentRegistry } from '../../../../lib/registry/component.registry.js';
import type { ToolComponent } from '../../../../lib/registry/registered-component.js';
import { Gate } from '../../../support/gate.js';
import { moduleOf, start } from '../../../support/started.js';

type Decide = (context: ExecutionContext) => ReturnType<CanActivate['canActivate']>;

/** The decision of the guards in this file, and the names of the guards that were called. */
let decide: Decide = () => true;
const asked: string[] = [];

const note = (name: string, context: ExecutionContext): ReturnType<Decide> => {
  asked.push(`${name} ${McpExecutionContext.create(context).getComponent().name}`);
  return decide(context);
};

@Injectable()
class PlainGuard implements CanActivate {
  canActivate(context: ExecutionContext): ReturnType<Decide> {
    return note('plain', context);
  }
}

@Injectable()
@CacheDecision()
class CachedGuard implements CanActivate {
  canActivate(context: ExecutionContext): ReturnType<Decide> {
    return note('cached', context);
  }
}

@NotForListing()
class CallGuard implements CanActivate {
  canActivate(context: ExecutionContext): ReturnType<Decide> {
    return note('call', context);
  }
}

class LastGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    asked.push(`last ${McpExecutionContext.create(context).getComponent().name}`);
    return true;
  }
}

@Injectable()
class Host {
  @Tool({ description: 'd' })
  @UseGuards(PlainGuard, LastGuard)
  plain(): void {}

  @Tool({ description: 'd' })
  @UseGuards(CachedGuard, LastGuard)
  once(): void {}

  @Tool({ description: 'd' })
  @UseGuards(CachedGuard)
  again(): void {}

  @Tool({ description: 'd' })
  @UseGuards(CallGuard)
  called(): void {}

  @Tool({ description: 'd' })
  free(): void {}
}

@Injectable({ scope: Scope.REQUEST })
class ScopedHost {
  @Tool({ description: 'd' })
  @UseGuards(PlainGuard, LastGuard)
  scoped(): void {}
}

const request = {
  operation: { kind: 'list', of: 'tool' },
  id: 1,
  client: { protocolVersion: 'x', capabilities: {} },
  meta: {},
  caller: { auth: () => undefined, request: {} },
} satisfies OperationRequest;

const deliberationOf = (): Deliberation =>
  new Deliberation({ started: () => undefined, opened: () => undefined, send: () => undefined });

const FORBIDDEN = { kind: 'forbidden', message: 'Forbidden resource' };

describe('the guards of listed components', () => {
  let app: INestApplicationContext;

  beforeEach(async () => {
    app = await start(moduleOf({ providers: [Host, ScopedHost] }));
    decide = () => true;
    asked.length = 0;
  });
  afterEach(() => app.close());

  const roundOf = (includesUnlisted = false, deliberation = deliberationOf()): GuardRound =>
    new GuardRound(request, deliberation, includesUnlisted);

  const find = (name: string): ToolComponent =>
    app.get(ComponentRegistry, { strict: false }).findTool(name) as ToolComponent;

  const guards = (): ListGuards => app.get(ListGuards, { strict: false });

  const ask = (name: string, round = roundOf()): GuardVerdict | Promise<GuardVerdict> =>
    guards().ask(find(name), round);

  it.each<readonly [string, Decide, GuardVerdict]>([
    ['true', () => true, undefined],
    ['false', () => false, FORBIDDEN as GuardVerdict],
  ])('return a verdict at once when the guard returns %s', (_name, answer, verdict) => {
    decide = answer;
    expect(ask('plain')).toEqual(verdict);
  });

  it.each<readonly [string, Decide, unknown]>([
    ['a promise of true', async () => Promise.resolve(true), undefined],
    ['a promise of false', async () => Promise.resolve(false), FORBIDDEN],
    ['a stream of true', () => of(false, true), undefined],
    ['a stream of false', () => of(true, false), FORBIDDEN],
    ['undefined', () => undefined as never, FORBIDDEN],
  ])('return a promise when the guard returns %s', async (_name, answer, verdict) => {
    decide = answer;
    const pending = ask('plain');
    expect(pending).toBeInstanceOf(Promise);
    expect(await pending).toEqual(verdict);
  });

  it.each([
    [new UnauthorizedException('who?'), { kind: 'unauthenticated', message: 'who?' }],
    [new ForbiddenException({ message: 'no', ask: 'the chief' }), { kind: 'forbidden', data: { ask: 'the chief' } }],
  ])('treat the exceptions 401 and 403 as a refusal: %s', async (thrown, verdict) => {
    decide = () => {
      throw thrown;
    };
    expect(ask('plain')).toMatchObject(verdict);
    decide = async () => Promise.reject(thrown);
    expect(await ask('plain')).toMatchObject(verdict);
    expect(asked).toEqual(['plain plain', 'plain plain']);
  });

  it.each([new Error('broken'), new BadRequestException(), new HttpException('slow down', 429), 'a word', undefined])(
    'pass on any other thrown value: %s',
    async (thrown) => {
      decide = () => {
        throw thrown;
      };
      await expect((async () => ask('plain'))()).rejects.toBe(thrown);
      decide = async () => Promise.reject(thrown);
      await expect(ask('plain')).rejects.toBe(thrown);
    },
  );

  it('are called in turn, and no guard is called after the first refusal', async () => {
    await ask('plain');
    decide = async () => Promise.resolve(true);
    await ask('plain');
    decide = async () => Promise.resolve(false);
    await ask('plain');
    expect(asked).toEqual(['plain plain', 'last plain', 'plain plain', 'last plain', 'plain plain']);
  });

  it.each([
    ['that decides at once', (answer: boolean) => answer],
    ['that decides later', async (answer: boolean) => Promise.resolve(answer)],
  ])('are called once a round for each class with @CacheDecision() %s', async (_name, later) => {
    decide = () => later(false);
    const round = roundOf();
    expect(await Promise.all([ask('once', round), ask('again', round)])).toEqual([FORBIDDEN, FORBIDDEN]);
    expect(asked).toEqual(['cached once']);
    decide = () => later(true);
    const next = roundOf();
    expect([await ask('again', next), await ask('once', next)]).toEqual([undefined, undefined]);
    expect(asked).toEqual(['cached once', 'cached again', 'last once']);
  });

  it('do not cache an error for a round', () => {
    const round = roundOf();
    decide = () => {
      throw new Error('broken');
    };
    expect(() => ask('once', round)).toThrow('broken');
    decide = () => true;
    expect(ask('again', round)).toBeUndefined();
  });

  it('are not called when they have @NotForListing(), except when unlisted guards are included', () => {
    decide = () => false;
    expect(ask('called')).toBeUndefined();
    expect(ask('called', roundOf(true))).toEqual(FORBIDDEN);
    expect(ask('free', roundOf(true))).toBeUndefined();
    expect(['plain', 'called', 'free'].map((name) => guards().hasListed(find(name).host))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each(['plain', 'scoped'])('are not called after the request has ended: %s', async (name) => {
    const gate = new Gate<boolean>();
    const deliberation = deliberationOf();
    const round = roundOf(false, deliberation);
    let signal: AbortSignal | undefined;
    const begun = new Gate();
    decide = async (context) => {
      ({ signal } = McpExecutionContext.create(context).getContext());
      begun.open();
      return gate.opened;
    };
    const pending = ask(name, round);
    await begun.opened;
    deliberation.cancel('client-gone');
    expect(signal?.reason).toMatchObject({ code: 'MCP_CALL_CANCELLED', reason: 'client-gone' });
    gate.open(true);
    expect(await pending).toEqual(FORBIDDEN);
    expect(await ask(name, round)).toEqual(FORBIDDEN);
    expect(asked).toEqual([`plain ${name}`]);
  });
});
