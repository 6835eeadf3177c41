import 'reflect-metadata';
import { Injectable, Module, UseGuards } from '@nestjs/common';
import { McpContext, McpModule, McpNotifier, Resource, Tool } from 'nestjs-mcp';
import { z } from 'zod';
import { HASTY_MS, HTTP, LIMITS } from './limits.mjs';

/** Knows every caller by a header, as a guard that checks tokens would. */
class CallerGuard {
  canActivate(context) {
    const request = context.switchToHttp().getRequest();
    const { 'x-caller': user, 'x-device': device } = request.headers;
    if (user !== undefined) request.mcpAuth = { sub: user, user };
    if (device !== undefined) request.mcpCancellationScope = device;
    return true;
  }
}
Injectable()(CallerGuard);

/** Asks a database, say, whether a caller may see a tool. */
class SlowGuard {
  async canActivate() {
    await rest(2, new AbortController().signal);
    return true;
  }
}

/** Resolves after this time, or at once when the signal aborts. */
function rest(milliseconds, signal) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}

const milliseconds = z.object({ ms: z.int() });

export class Tools {
  constructor(notifier) {
    this.notifier = notifier;
  }

  echo({ text }, context) {
    return `${context.auth?.user ?? 'nobody'} says ${text}`;
  }

  async slow({ ms }, context) {
    await context.progress(1, 2, 'begun');
    await rest(ms, context.signal);
    return `rested ${ms}`;
  }

  /** Finishes its work whether anybody waits for it or not. */
  async stubborn({ ms }, context) {
    await context.progress(1, 2, 'begun');
    await rest(ms, new AbortController().signal);
    return `worked ${ms}`;
  }

  async hasty(context) {
    await rest(60_000, context.signal);
    return 'too late';
  }

  async count({ steps }, context) {
    for (let step = 1; step <= steps; step += 1) await context.progress(step, steps, `step ${step}`);
    return `counted to ${steps}`;
  }

  big({ length }) {
    return 'x'.repeat(length);
  }

  boom() {
    throw new Error('a detail that must stay inside');
  }

  async touch({ uri }) {
    await this.notifier.resourceUpdated(uri);
    return `touched ${uri}`;
  }

  async relist() {
    await this.notifier.toolsChanged();
    return 'listed anew';
  }

  thing({ name }) {
    return `the thing ${name}`;
  }
}

const DECORATED = {
  echo: Tool({ description: 'Says who says what', input: z.object({ text: z.string() }) }),
  slow: Tool({ description: 'Takes its time', input: milliseconds }),
  stubborn: Tool({ description: 'Takes its time and hears no signal', input: milliseconds }),
  hasty: Tool({ description: 'Has less time than it takes', timeoutMs: HASTY_MS }),
  count: Tool({ description: 'Tells each step', input: z.object({ steps: z.int() }) }),
  big: Tool({ description: 'Says much', input: z.object({ length: z.int() }) }),
  boom: Tool({ description: 'Fails' }),
  touch: Tool({ description: 'Changes a resource', input: z.object({ uri: z.string() }) }),
  relist: Tool({ description: 'Changes the list of tools' }),
  thing: Resource({ uri: 'chaos://{name}', description: 'Something to watch' }),
};

UseGuards(SlowGuard)(Tools.prototype, 'relist', Object.getOwnPropertyDescriptor(Tools.prototype, 'relist'));

const PARAMETERS = { hasty: [McpContext], boom: [], relist: [] };

/** What the compiler would write for decorators. */
for (const [name, decorate] of Object.entries(DECORATED)) {
  const parameters = PARAMETERS[name] ?? [Object, McpContext].slice(0, Tools.prototype[name].length);
  const method = Object.getOwnPropertyDescriptor(Tools.prototype, name);
  Reflect.decorate([decorate, Reflect.metadata('design:paramtypes', parameters)], Tools.prototype, name, method);
}
Reflect.decorate([Injectable(), Reflect.metadata('design:paramtypes', [McpNotifier])], Tools);

export const TOOL_NAMES = Object.keys(DECORATED).filter((name) => name !== 'thing');

export class TargetModule {}
Module({
  imports: [
    McpModule.forRoot({
      name: 'target',
      version: '1.0.0',
      limits: LIMITS,
      http: { ...HTTP, guards: [CallerGuard] },
    }),
  ],
  providers: [Tools],
})(TargetModule);
