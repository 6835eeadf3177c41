import { Injectable } from '@nestjs/common';

import type { Fault } from '../../model/fault.js';
import type { Caller } from '../../model/peer.js';
import type { ComponentHost, ListedComponent } from '../../registry/registered-component.js';
import type { PolicyComponent, PolicyQuestion } from '../ports/mcp-policy.js';
import { Requirements } from './requirements.js';

/** What the decorators of components ask, read once for each. */
@Injectable()
export class AccessRules {
  private readonly read = new WeakMap<ComponentHost, Requirements | 'none'>();

  of(host: ComponentHost): Requirements | undefined {
    let requirements = this.read.get(host);
    if (requirements === undefined) {
      requirements = Requirements.of(host) ?? 'none';
      this.read.set(host, requirements);
    }
    return requirements === 'none' ? undefined : requirements;
  }

  refusalFor(host: ComponentHost, caller: Caller): Fault | undefined {
    return this.of(host)?.refusalFor(caller.auth());
  }
}

export function questionAbout(
  component: ListedComponent,
  phase: PolicyQuestion['phase'],
  caller: Caller,
  requestedUri?: string,
): PolicyQuestion {
  const about = describe(component);
  return {
    phase,
    component: requestedUri === undefined ? about : { ...about, requestedUri },
    auth: caller.auth(),
    request: caller.request,
  };
}

function describe(component: ListedComponent): PolicyComponent {
  const { kind } = component;
  const { name } = component.definition;
  switch (kind) {
    case 'tool':
    case 'prompt':
      return { kind, name };
    case 'resource':
      return { kind, name, uri: component.definition.uri };
    case 'template':
      return { kind, name, uri: component.definition.uriTemplate };
    default:
      return kind satisfies never;
  }
}
