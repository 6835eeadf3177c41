import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';

import { CALL_INDEX } from '../../decorators/mcp-context.js';
import { McpError } from '../../errors/mcp.error.js';
import { settleVerdict } from '../../errors/quiet.subscriber.js';
import { CACHE_DECISION_METADATA, NOT_FOR_LISTING_METADATA } from '../../mcp.constants.js';
import type { Arguments } from '../../model/operation.js';
import { methodOf } from '../../registry/component-host.js';
import { declaredGuards, guardsAround, isGuardedHost } from '../../registry/placed-guards.js';
import type { ComponentHost, Method, RegisteredComponent } from '../../registry/registered-component.js';
import { Call } from '../calls/call.js';
import { SILENT_LINK } from '../calls/call-link.js';
import { findRefusal } from '../fault.mapper.js';
import { HostScope, type CallTarget } from '../handlers/host.scope.js';

import { openGuards, type GuardConsumer, type GuardFinder } from '../handlers/nest-internals.js';
import { NO_ARGUMENTS, type GuardRound, type GuardVerdict } from './guard.round.js';
import { silenced } from '../calls/response.facade.js';

interface Placed {
  readonly guard: CanActivate;
  /** The class or instance that the decorator was given. */
  readonly bound: object;
  readonly isListed: boolean;
  readonly isCached: boolean;
}

interface Ready {
  readonly instance: object;
  readonly method: Method;
  readonly guards: readonly Placed[];
  readonly listed: readonly Placed[];
}

const FORBIDDEN: GuardVerdict = Object.freeze({ kind: 'forbidden', message: 'Forbidden resource' });

/** Runs the guards of class, method and registration for lists, completions and subscriptions, where no component is called. */
@Injectable()
export class ListGuards {
  private readonly finder: GuardFinder;
  private readonly consumer: GuardConsumer;
  /** Guards of hosts that live as long as the app. */
  private readonly kept = new WeakMap<ComponentHost, Ready>();

  constructor(
    creator: ExternalContextCreator,
    private readonly scope: HostScope,
  ) {
    const { finder, consumer } = openGuards(creator);
    this.finder = finder;
    this.consumer = consumer;
  }

  /** Whether a list depends on guards of the component; also `true` if this is known only per request. */
  hasListed(host: ComponentHost): boolean {
    const { enhancers } = host;
    if (enhancers?.isGuarded !== true) return declaredGuards(host).some(isListed);
    return enhancers.isScoped || guardsAround(host, enhancers.around(methodOf(host))).some(isListed);
  }

  /**
   * Runs the guards and returns their verdict. Guards that the call of another component runs anyway can be skipped.
   * Once the request is over, no guard runs and the verdict is a refusal.
   *
   * @throws errors of guards, except 401 and 403.
   */
  ask(
    component: RegisteredComponent,
    round: GuardRound,
    args: Arguments = NO_ARGUMENTS,
    spared?: ComponentHost,
  ): GuardVerdict | Promise<GuardVerdict> {
    const { host } = component;
    if (!this.kept.has(host) && !isGuardedHost(host)) return undefined;
    if (round.deliberation.isOver) return FORBIDDEN;
    const others = spared === undefined ? undefined : declaredGuards(spared);
    if (others !== undefined && this.areSkipped(host, others)) return undefined;
    const begin = (ready: Ready): GuardVerdict | Promise<GuardVerdict> => {
      const all = round.includesUnlisted ? ready.guards : ready.listed;
      const guards = others === undefined ? all : all.filter(({ bound }) => !others.includes(bound));
      return this.run(guards, 0, round, this.contextMaker(component, ready, round, args));
    };
    const ready = this.ready(host, round);
    return ready instanceof Promise ? ready.then(begin) : begin(ready);
  }

  /** Whether all guards of a host can be skipped, so that the host need not be created. */
  private areSkipped(host: ComponentHost, others: readonly object[]): boolean {
    return host.enhancers?.isGuarded !== true && declaredGuards(host).every((bound) => others.includes(bound));
  }

  private run(
    guards: readonly Placed[],
    first: number,
    round: GuardRound,
    contextOf: () => ExecutionContext,
  ): GuardVerdict | Promise<GuardVerdict> {
    for (let index = first; index < guards.length; index += 1) {
      if (round.deliberation.isOver) return FORBIDDEN;
      const verdict = this.decide(guards[index], round, contextOf);
      if (verdict instanceof Promise) {
        return verdict.then((settled) => settled ?? this.run(guards, index + 1, round, contextOf));
      }
      if (verdict !== undefined) return verdict;
    }
    return undefined;
  }

  private decide(
    { guard, isCached }: Placed,
    { decisions }: GuardRound,
    contextOf: () => ExecutionContext,
  ): GuardVerdict | Promise<GuardVerdict> {
    if (!isCached) return this.activate(guard, contextOf());
    if (decisions.has(guard)) return decisions.get(guard);
    const verdict = this.activate(guard, contextOf());
    decisions.set(guard, verdict);
    return verdict;
  }

  private activate(guard: CanActivate, context: ExecutionContext): GuardVerdict | Promise<GuardVerdict> {
    try {
      const result: unknown = guard.canActivate(context);
      if (typeof result === 'boolean') return result ? undefined : FORBIDDEN;
      const reportError = (error: unknown): void => context.getArgByIndex<Call>(CALL_INDEX).reportError(error);
      return settleVerdict(result, reportError).then((passes) => (passes ? undefined : FORBIDDEN), refusalOf);
    } catch (error) {
      return refusalOf(error);
    }
  }

  /** Creates the context on first use, once for all guards of a component. */
  private contextMaker(
    component: RegisteredComponent,
    { instance, method }: Ready,
    { request, deliberation }: GuardRound,
    args: Arguments,
  ): () => ExecutionContext {
    let context: ExecutionContext | undefined;
    return () => {
      if (context !== undefined) return context;
      const call = new Call(request, component, args, SILENT_LINK);
      deliberation.consult(call);
      const { caller } = request;
      const made = this.consumer.createContext([caller.request, silenced(caller.response), call], instance, method);
      made.setType('mcp');
      context = made;
      return made;
    };
  }

  private ready(host: ComponentHost, round: GuardRound): Ready | Promise<Ready> {
    const kept = this.kept.get(host);
    if (kept !== undefined) return kept;
    if (!this.scope.isStatic(host)) return this.readyIn(host, round);
    const ready = this.place(host, this.scope.only(host));
    this.kept.set(host, ready);
    return ready;
  }

  private async readyIn(host: ComponentHost, { contextId, request }: GuardRound): Promise<Ready> {
    return this.place(host, await this.scope.resolve(host, contextId, request.caller.request));
  }

  private place(host: ComponentHost, { instance, method, contextId }: CallTarget): Ready {
    this.finder.moduleContext = host.moduleKey;
    const inquirer = contextId === undefined ? undefined : host.wrapper.id;
    const guards = guardsAround(host, method).map((bound): Placed => {
      const [guard] = this.finder.createConcreteContext([bound], contextId, inquirer);
      if (guard === undefined) {
        throw new McpError('MCP_GUARD_SKIPPED', `A guard of ${host.owner} has no instance, so it would be skipped.`);
      }
      return { guard, bound, isListed: isListed(bound), isCached: isMarked(bound, CACHE_DECISION_METADATA) };
    });
    return { instance, method, guards, listed: guards.filter((placed) => placed.isListed) };
  }
}

const isListed = (bound: object): boolean => !isMarked(bound, NOT_FOR_LISTING_METADATA);

/** Guards are bound as classes, or as instances of one. */
function isMarked(bound: object, mark: string): boolean {
  return Reflect.getMetadata(mark, typeof bound === 'function' ? bound : bound.constructor) === true;
}

/** Returns the refusal for a 401 or 403; rethrows other errors, since then the guard itself has failed. */
function refusalOf(error: unknown): GuardVerdict {
  const refusal = findRefusal(error);
  if (refusal === undefined) throw error;
  return refusal;
}
