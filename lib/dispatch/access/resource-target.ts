import type { Arguments } from '../../model/operation.js';
import type { ComponentRegistry } from '../../registry/component.registry.js';
import type { ResourceComponent, TemplateComponent } from '../../registry/registered-component.js';

/** What answers a URI, and what its handler gets. */
export interface ResourceTarget {
  readonly component: ResourceComponent | TemplateComponent;
  readonly variables: Arguments;
}

/** A fixed URI comes before the templates. */
export function findResourceTarget(registry: ComponentRegistry, uri: string): ResourceTarget | undefined {
  const component = registry.findResource(uri);
  return component === undefined ? registry.matchTemplate(uri) : { component, variables: { uri } };
}
