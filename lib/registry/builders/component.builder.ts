import type { ComponentMetadata, CompletionOptions } from '../../decorators/component-metadata.js';
import type { SchemaResolver } from '../../schema/schema.resolver.js';
import type { ComponentHost, RegisteredComponent, CompletionComponent } from '../registered-component.js';
import { buildPrompt } from './prompt.builder.js';
import { buildResource } from './resource.builder.js';
import { buildTool } from './tool.builder.js';
import { InvalidComponentError } from '../../errors/invalid-component.error.js';
import type { CompletionTarget } from '../../model/operation.js';
import { narrowTexts } from '../parameter-plan.js';
import { refuseUnknownOptions } from './component-names.js';

/**
 * Builds a component from its declaration.
 *
 * @throws InvalidComponentError with the owner and the fix.
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

/** Returns a warning if the component has no description. */
export function missingDescription(component: RegisteredComponent, place: 'decorator' | 'options'): string | undefined {
  if (component.kind === 'completion' || component.definition.description !== undefined) return undefined;
  const { kind, definition, host } = component;
  return `${host.owner}: the ${kind} "${definition.name}" has no description, so models have to guess what it is for. Add one to its ${place}.`;
}

const OPTIONS = ['prompt', 'resource', 'argument', 'server'];

function buildCompletion(options: CompletionOptions, host: ComponentHost): CompletionComponent {
  const { owner } = host;
  refuseUnknownOptions(options, OPTIONS, owner);
  if ((options.prompt === undefined) === (options.resource === undefined)) {
    throw new InvalidComponentError(owner, 'set what it completes: either "prompt" or "resource", and not both.');
  }
  if (typeof options.argument !== 'string' || options.argument === '') {
    throw new InvalidComponentError(owner, 'the option "argument" is missing.');
  }
  const target: CompletionTarget =
    options.prompt === undefined
      ? { kind: 'template', uri: options.resource }
      : { kind: 'prompt', name: options.prompt };
  // A parameter of type string receives only the typed text of the query.
  const parameters = narrowTexts(host.parameters, 'value');
  return { kind: 'completion', options, target, argument: options.argument, host: { ...host, parameters } };
}
