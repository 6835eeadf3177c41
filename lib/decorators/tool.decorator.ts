import type { McpContext } from '../model/mcp-context.js';
import type { SchemaSource, ToolArgs } from '../schema/schema-source.js';
import type { ToolOptions } from './component-metadata.js';
import { recordComponent } from './record-component.js';

/** Shown by the compiler when no parameter of the method accepts what `input` produces. */
export interface ArgumentMismatch<A> {
  readonly 'The method takes other arguments than its `input` schema produces': A;
}

type Accepts<P, A> = [A] extends [P] ? true : [McpContext] extends [P] ? true : [P] extends [A[keyof A]] ? true : false;

type AnyAccepts<P extends readonly unknown[], A> = P extends readonly [infer Head, ...infer Tail]
  ? Accepts<Head, A> extends true
    ? true
    : AnyAccepts<Tail, A>
  : false;

type Checked<M, A> = M extends (...args: infer P) => unknown
  ? P extends readonly []
    ? true
    : number extends P['length']
      ? true
      : AnyAccepts<Required<P>, A>
  : false;

/** Decorates a method; the method's parameter must accept what `input` produces. */
export type ToolDecorator<S extends SchemaSource | undefined> = <M extends (...args: never[]) => unknown>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => S extends SchemaSource ? (Checked<M, ToolArgs<S>> extends true ? void : ArgumentMismatch<ToolArgs<S>>) : void;

/**
 * Offers a method as a tool.
 *
 * @example
 * ```ts
 * @Tool({ description: 'Create a greeting' })
 * greet(args: GreetArgs) { return `Hello, ${args.name}!`; }
 * ```
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 * @publicApi
 */
export function Tool<S extends SchemaSource | undefined = undefined>(
  options: ToolOptions<S> = {} as ToolOptions<S>,
): ToolDecorator<S> {
  return ((_target: object, _key: string | symbol, descriptor: PropertyDescriptor) => {
    recordComponent(descriptor.value as object, { kind: 'tool', options: options as ToolOptions });
  }) as ToolDecorator<S>;
}
