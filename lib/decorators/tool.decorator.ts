import type { McpContext } from './mcp-context.js';
import type { SchemaSource, ToolArgs } from '../schema/schema-source.js';
import { type ToolOptions, recordComponent } from './component-metadata.js';

/** Shown by the compiler when no parameter of the method accepts the output type of `input`. */
export interface ArgumentMismatch<A> {
  readonly 'The method takes other arguments than its `input` schema produces': A;
}

/** Whether a parameter accepts all arguments or, with `@Args('name')`, one of them. */
type Accepts<P, A> = [A] extends [P] ? true : [P] extends [A[keyof A]] ? true : false;

/** Whether a parameter accepts the arguments, or the context is the only parameter. */
type SomeAccepts<P extends readonly unknown[], A, Otherwise = true> = P extends readonly [infer Head, ...infer Tail]
  ? Accepts<Head, A> extends true
    ? true
    : SomeAccepts<Tail, A, [Head] extends [McpContext] ? Otherwise : false>
  : Otherwise;

type Checked<M, A> = M extends (...args: infer P) => unknown
  ? number extends P['length']
    ? true
    : SomeAccepts<Required<P>, A>
  : false;

/** Decorates a method whose parameter must accept the output type of `input`. */
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
export function Tool<S extends SchemaSource | undefined = undefined>(options: ToolOptions<S> = {}): ToolDecorator<S> {
  return ((_target: object, _key: string | symbol, descriptor: PropertyDescriptor) => {
    recordComponent(descriptor.value as object, { kind: 'tool', options: options });
  }) as ToolDecorator<S>;
}
