import { type PromptOptions, recordComponent } from './component-metadata.js';

/**
 * Offers a method as a prompt.
 *
 * @example
 * ```ts
 * @Prompt({ description: 'Introduce someone' })
 * introduce(args: IntroduceArgs) { return `Introduce ${args.name} in one sentence.`; }
 * ```
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 * @publicApi
 */
export function Prompt(options: PromptOptions = {}): MethodDecorator {
  return (_target, _key, descriptor: PropertyDescriptor) => {
    recordComponent(descriptor.value as object, { kind: 'prompt', options });
  };
}
