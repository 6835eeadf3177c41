import { InvalidComponentError } from '../errors/invalid-component.error.js';
import type { ComponentRegistry } from './component.registry.js';
import type { CompletionComponent, RegisteredComponent, TemplateComponent } from './registered-component.js';

/** Refuses components that would answer the same URI, if the overlap can be detected without a request. */
export function refuseOverlaps(registry: ComponentRegistry): void {
  const templates = registry.held('template');
  for (const [index, template] of templates.entries()) {
    for (const resource of registry.held('resource')) refuseOverlap(template, resource);
    for (const other of templates.slice(index + 1)) refuseOverlap(template, other);
  }
}

/** Checks one component before it is added or replaces another. */
export function refuseOverlapsOf(
  component: RegisteredComponent,
  registry: ComponentRegistry,
  replaced?: RegisteredComponent,
): void {
  const others = <T extends RegisteredComponent>(held: readonly T[]): readonly T[] =>
    held.filter((other) => other !== replaced);
  if (component.kind === 'resource') {
    for (const template of others(registry.held('template'))) refuseOverlap(template, component);
  } else if (component.kind === 'template') {
    for (const resource of others(registry.held('resource'))) refuseOverlap(component, resource);
    for (const template of others(registry.held('template'))) refuseOverlap(component, template);
  }
}

function refuseOverlap(template: TemplateComponent, other: RegisteredComponent): void {
  if (other.kind === 'resource' && template.template.matchesExact(other.definition.uri)) {
    throw overlap(template, `the resource "${other.definition.uri}" of ${other.host.owner}`);
  }
  if (other.kind === 'template' && template.template.overlaps(other.template)) {
    throw overlap(template, `the template "${other.definition.uriTemplate}" of ${other.host.owner}`);
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
  for (const completion of registry.held('completion')) refuseStray(completion, targetOf(completion, registry));
}

function targetOf({ target }: CompletionComponent, registry: ComponentRegistry): RegisteredComponent | undefined {
  return target.kind === 'prompt' ? registry.holder('prompt', target.name) : registry.holder('template', target.uri);
}

/** Checks one component before it is added or replaces another. */
export function refuseStraysOf(
  component: RegisteredComponent,
  registry: ComponentRegistry,
  replaced?: RegisteredComponent,
): void {
  // During discovery the target may still be found.
  if (!registry.isComplete) return;
  if (component.kind === 'completion') {
    refuseStray(component, targetOf(component, registry));
  } else if (replaced !== undefined) {
    for (const completion of registry.completionsOf(replaced)) refuseStray(completion, component);
  }
}

function refuseStray({ target, argument, host }: CompletionComponent, holder: RegisteredComponent | undefined): void {
  const [label, known] =
    target.kind === 'prompt'
      ? [`prompt "${target.name}"`, promptArguments(target.name, holder)]
      : [`template "${target.uri}"`, templateVariables(target.uri, holder)];
  if (known === undefined) {
    throw new InvalidComponentError(host.owner, `it completes the ${label}, which this server does not have.`);
  }
  if (!known.includes(argument)) {
    const choices = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
    throw new InvalidComponentError(
      host.owner,
      `it completes "${argument}", which is not an argument of the ${label}. ${choices}`,
    );
  }
}

function promptArguments(name: string, holder: RegisteredComponent | undefined): readonly string[] | undefined {
  if (holder?.kind !== 'prompt' || holder.definition.name !== name) return undefined;
  return (holder.definition.arguments ?? []).map((argument) => argument.name);
}

function templateVariables(uri: string, holder: RegisteredComponent | undefined): readonly string[] | undefined {
  return holder?.kind === 'template' && holder.definition.uriTemplate === uri ? holder.template.variables : undefined;
}
