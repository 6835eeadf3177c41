import type { ComponentRegistry, TemplateHit } from '../../registry/component.registry.js';
import type { ResourceComponent, TemplateComponent } from '../../registry/registered-component.js';

/** The component that answers a URI, and the variables for its handler. */
export interface ResourceTarget {
  readonly component: ResourceComponent | TemplateComponent;
  readonly variables: TemplateHit['variables'];
}

/** Finds the component that answers a URI; fixed URIs take precedence over templates. */
export function findResourceTarget(registry: ComponentRegistry, uri: string): ResourceTarget | undefined {
  const component = registry.findResource(uri);
  return component === undefined ? registry.matchTemplate(uri) : { component, variables: { uri } };
}

/**
 * Normalises a URI so that an app can compare it: a fixed URI as it is declared, a URI of a template as its variables
 * expand. Otherwise a client could bypass a policy with another spelling.
 */
export function targetUri({ component, variables }: ResourceTarget): string {
  return component.kind === 'resource' ? component.definition.uri : component.template.expand(variables);
}
