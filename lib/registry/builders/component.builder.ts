import type { ComponentMetadata } from '../../decorators/component-metadata.js';
import type { SchemaResolver } from '../../schema/schema.resolver.js';
import type { ComponentHost, RegisteredComponent } from '../registered-component.js';
import { buildCompletion } from './completion.builder.js';
import { buildPrompt } from './prompt.builder.js';
import { buildResource } from './resource.builder.js';
import { buildTool } from './tool.builder.js';

/**
 * Turns what was declared into a component.
 *
 * @throws InvalidComponentError naming the owner and the cure.
 */
export async function buildComponent(
  metadata: ComponentMetadata,
  host: ComponentHost,
  resolver: SchemaResolver,
): Promise<RegisteredComponent> {
  switch (metadata.kind) {
    case 'tool':
      return buildTool(metadata.options, host, resolver);
    case 'resource':
      return buildResource(metadata.options, host, resolver);
    case 'prompt':
      return buildPrompt(metadata.options, host, resolver);
    case 'completion':
      return buildCompletion(metadata.options, host);
    default:
      return metadata satisfies never;
  }
}

/** A sentence about what models have to guess, if anything. */
export function missingDescription(component: RegisteredComponent, place: 'decorator' | 'options'): string | undefined {
  if (component.kind === 'completion' || component.definition.description !== undefined) return undefined;
  const { kind, definition, host } = component;
  return `${host.owner}: the ${kind} "${definition.name}" has no description, so models have to guess what it is for. Add one to its ${place}.`;
}
