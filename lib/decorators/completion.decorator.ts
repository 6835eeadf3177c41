import { type CompletionOptions, recordComponent } from './component-metadata.js';

/**
 * Suggests values for an argument of a prompt or for a variable of a resource template.
 * The method receives a {@link CompletionQuery}, or only the text if its parameter is a `string`, and returns the values.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 * @publicApi
 */
export function Completion(options: CompletionOptions): MethodDecorator {
  return (_target, _key, descriptor: PropertyDescriptor) => {
    recordComponent(descriptor.value as object, { kind: 'completion', options });
  };
}

/**
 * The argument of a `@Completion()` method.
 *
 * @publicApi
 */
export interface CompletionQuery {
  /** The text that was typed so far. */
  readonly value: string;
  /** Arguments that were already chosen. */
  readonly context: Readonly<Record<string, string>>;
}
