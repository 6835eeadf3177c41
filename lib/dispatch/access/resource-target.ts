import type { ComponentRegistry, TemplateHit } from '../../registry/component.registry.js';
import type { ResourceComponent, TemplateComponent } from '../../registry/registered-component.js';

/** What answers a URI, and what its handler gets. */
export interface ResourceTarget {
  readonly component: ResourceComponent | TemplateComponent;
  readonly variables: TemplateHit['variables'];
}

/** A fixed URI comes before the templates. */
export function findResourceTarget(registry: ComponentRegistry, uri: string): ResourceTarget | undefined {
  const component = registry.findResource(uri);
  return component === undefined ? registry.matchTemplate(uri) : { component, variables: { uri } };
}

/**
 * One spelling of all URIs that are answered alike, for an app to compare: a fixed URI as it is declared, that of a
 * template as its values expand. A client could choose another spelling of what it may not have.
 */
export function targetUri({ component, variables }: ResourceTarget): string {
  return component.kind === 'resource' ? component.definition.uri : component.template.expand(variables);
}
