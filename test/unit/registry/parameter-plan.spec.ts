import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Body, Req } from '@nestjs/common';

import { Args, Ctx } from '../../../lib/decorators/params.decorator.js';
import { McpContext } from '../../../lib/decorators/mcp-context.js';
import {
  narrowTexts,
  planParameters,
  UnfillableParameterError,
  type ParameterPlan,
} from '../../../lib/registry/parameter-plan.js';

class Dto {}

function plan(
  types: readonly unknown[] | undefined,
  method: (...args: never[]) => unknown,
  ...decorators: (readonly [number, ParameterDecorator])[]
): ParameterPlan {
  class Host {}
  Object.defineProperty(Host.prototype, 'run', { value: method, configurable: true });
  if (types !== undefined) Reflect.defineMetadata('design:paramtypes', types, Host.prototype, 'run');
  for (const [index, decorator] of decorators) decorator(Host.prototype, 'run', index);
  return planParameters(Host.prototype, 'run');
}

const indexes = ({ records }: ParameterPlan): Record<string, number> =>
  Object.fromEntries(
    Object.entries(records).map(([key, { index }]) => [
      key.replace(/^.*(mcp)?__customRouteArgs__.*$/, 'custom'),
      index,
    ]),
  );

const none = (): void => undefined;
const one = (_a: unknown): void => undefined;
const two = (_a: unknown, _b: unknown): void => undefined;

describe('a parameter plan', () => {
  it.each([
    ['arguments', [Dto], one, { '3:0': 0 }, Dto],
    ['context', [McpContext], one, { custom: 0 }, undefined],
    ['arguments, context', [Dto, McpContext], two, { '3:0': 0, custom: 1 }, Dto],
    ['context, arguments', [McpContext, Dto], two, { custom: 0, '3:1': 1 }, Dto],
    ['arguments of no class', [Object], one, { '3:0': 0 }, Object],
  ] as const)('reads %s by type', (_what, types, method, expected, argumentsType) => {
    const read = plan(types, method);
    expect(indexes(read)).toEqual(expected);
    expect(read.argumentsType).toBe(argumentsType);
    expect(read.takesArguments).toBe('3:0' in expected || '3:1' in expected);
  });

  it('takes classes that extend or are called McpContext for it, as those of another copy are', () => {
    abstract class Own extends McpContext {}
    const Copy = { McpContext: class {} }.McpContext;
    expect(plan([Own], one).takesArguments).toBe(false);
    expect(plan([Copy], one).takesArguments).toBe(false);
  });

  it('reads JavaScript by position', () => {
    expect(indexes(plan(undefined, two))).toEqual({ '3:0': 0, custom: 1 });
  });

  it('always has a record, so that Nest never passes its own arguments on', () => {
    const read = plan([], none);
    expect(Object.keys(read.records)).toHaveLength(1);
    expect(read.takesArguments).toBe(false);
  });

  it('counts parameters with defaults by their types', () => {
    expect(plan([Dto, McpContext], none).takesArguments).toBe(true);
  });

  it('keeps decorated parameters and fills the others', () => {
    const read = plan([Object, Dto, McpContext], (_a: unknown, _b: unknown, _c: unknown) => undefined, [0, Req()]);
    expect(read.argumentsType).toBe(Dto);
    expect(new Set(Object.values(read.records).map(({ index }) => index))).toEqual(new Set([0, 1, 2]));
    const explicit = plan([McpContext, Dto], two, [1, Args()], [0, Ctx()]);
    expect(explicit.argumentsType).toBe(Dto);
  });

  it('supports named arguments', () => {
    const named = plan([String, Number], two, [0, Args('a')], [1, Body('b')]);
    expect(named).toMatchObject({ takesArguments: true, takesNamedArgument: true, argumentsType: undefined });
    expect(plan([Dto], one)).toMatchObject({ takesNamedArgument: false });
  });

  it('hides the class of the context from pipes, and no other', () => {
    expect(plan([Dto, McpContext], two).types).toEqual([Dto, undefined]);
  });

  it.each([
    [[Dto, Dto], 2],
    [[McpContext, Dto, Object], 3],
  ])('has no source for %p', (types, position) => {
    const unfillable = (): unknown => plan(types, (_a: unknown, _b: unknown, _c?: unknown) => undefined);
    expect(unfillable).toThrow(UnfillableParameterError);
    expect(unfillable).toThrow(`parameter ${position} has no source`);
  });

  it('narrows strings, and does not change the original plan', () => {
    const read = plan([String, McpContext], two);
    expect(narrowTexts(read, 'value').records['3:0']).toMatchObject({ index: 0, data: 'value' });
    expect(read.records['3:0']).not.toHaveProperty('data');
    expect(narrowTexts(plan([Object], one), 'value').records['3:0']).not.toHaveProperty('data', 'value');
    expect(narrowTexts(plan([String], one, [0, Args('other')]), 'value').records['3:0']).toMatchObject({
      data: 'other',
    });
  });
});
