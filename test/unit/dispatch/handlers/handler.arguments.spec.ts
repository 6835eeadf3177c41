import { describe, expect, it } from '@jest/globals';
import { Headers, Body } from '@nestjs/common';

import { Args, McpContext, Signal } from '../../../../lib/index.js';
import { planDirectArguments } from '../../../../lib/dispatch/handlers/handler.arguments.js';
import { planParameters } from '../../../../lib/registry/parameter-plan.js';
import type { Call } from '../../../../lib/dispatch/calls/call.js';

const mark = (): MethodDecorator => () => undefined;

class Handlers {
  @mark()
  none(): void {}
  @mark()
  whole(_args: object): void {}
  @mark()
  both(_context: McpContext, _args: object): void {}
  @mark()
  written(@Args() _args: object, _context: McpContext): void {}
  @mark()
  named(@Args('name') _name: string): void {}
  @mark()
  piped(@Body({ transform: (value: unknown) => value }) _args: object): void {}
  @mark()
  header(@Headers('x') _x: string, @Args() _args: object): void {}
}

const call = { arguments: { a: 1 }, context: { c: 2 } } as unknown as Call;

describe('planDirectArguments', () => {
  it.each([
    ['none', [{ a: 1 }]],
    ['whole', [{ a: 1 }]],
    ['both', [{ c: 2 }, { a: 1 }]],
    ['written', [{ a: 1 }, { c: 2 }]],
  ])('fills the parameters of %s', (method, values) => {
    expect(planDirectArguments(planParameters(Handlers.prototype, method))?.(call)).toEqual(values);
  });

  it.each(['named', 'piped', 'header'])('lets Nest fill the parameters of %s', (method) => {
    expect(planDirectArguments(planParameters(Handlers.prototype, method))).toBeUndefined();
  });

  it('lets Nest fill parameters with a custom decorator', () => {
    class Custom {
      @mark()
      signal(@Args() _args: object, @Signal() _signal: AbortSignal): void {}
    }
    expect(planDirectArguments(planParameters(Custom.prototype, 'signal'))).toBeUndefined();
  });
});
