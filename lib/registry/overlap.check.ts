import { InvalidComponentError } from '../errors/invalid-component.error.js';
import type { ComponentRegistry } from './component.registry.js';
import type { CompletionComponent, ResourceComponent, TemplateComponent } from './registered-component.js';

/** Refuses URIs that two components would answer, as far as that can be told without a request. */
export function refuseOverlaps(registry: ComponentRegistry): void {
  const templates = registry.listed('template') as readonly TemplateComponent[];
  for (const [index, template] of templates.entries()) {
    for (const resource of registry.listed('resource') as readonly ResourceComponent[]) {
      if (template.template.matchesExact(resource.definition.uri)) {
        throw overlap(template, `the resource "${resource.definition.uri}" of ${resource.host.owner}`);
      }
    }
    for (const other of templates.slice(index + 1)) {
      if (template.template.overlaps(other.template)) {
        throw overlap(template, `the template "${other.definition.uriTemplate}" of ${other.host.owner}`);
      }
    }
  }
}

function overlap(template: TemplateComponent, other: string): InvalidComponentError {
  return new InvalidComponentError(
    template.host.owner,
    `the template "${template.definition.uriTemplate}" matches URIs of ${other} too. Give one of them another literal segment.`,
  );
}

/** Refuses completions for prompts, templates or arguments that do not exist. */
export function refuseStrayCompletions(registry: ComponentRegistry): void {
  for (const component of registry.all()) {
    if (component.kind === 'completion') refuseStray(component, registry);
  }
}

function refuseStray({ target, argument, host }: CompletionComponent, registry: ComponentRegistry): void {
  const [label, known] =
    target.kind === 'prompt'
      ? [
          `prompt "${target.name}"`,
          registry.findPrompt(target.name)?.definition.arguments?.map(({ name }) => name) ??
            (registry.findPrompt(target.name) && []),
        ]
      : [`template "${target.uri}"`, registry.findTemplate(target.uri)?.template.variables];
  if (known === undefined) {
    throw new InvalidComponentError(host.owner, `it completes the ${label}, which this server does not have.`);
  }
  if (!known.includes(argument)) {
    const choices = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
    throw new InvalidComponentError(
      host.owner,
      `it completes "${argument}", which is no argument of the ${label}. ${choices}`,
    );
  }
}
