import { Injectable } from '@nestjs/common';

import type { Arguments, Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { ResourceComponent, TemplateComponent } from '../../registry/registered-component.js';
import { CallRunner, type CallLink } from '../calls/call.runner.js';
import { classify, FaultMapper } from '../fault.mapper.js';
import { faulty, type OperationHandler } from '../operation-handler.js';
import { readResourceReturn } from '../results/resource.result.js';

type ReadRequest = OperationRequest<Extract<Operation, { kind: 'read-resource' }>>;

const NOT_FOUND = 404;

interface Target {
  readonly component: ResourceComponent | TemplateComponent;
  readonly variables: Arguments;
}

/** A fixed URI, or one that a template matches. */
@Injectable()
export class ReadResourceOperation implements OperationHandler<'read-resource'> {
  constructor(
    private readonly registry: ComponentRegistry,
    private readonly runner: CallRunner,
    private readonly faults: FaultMapper,
  ) {}

  handle(request: ReadRequest, link: CallLink): Outcome | Promise<Outcome> {
    const { uri } = request.operation;
    const target = this.find(uri);
    if (target === undefined) return notFound(uri);
    const { component } = target;
    return this.runner.run(component, target.variables, request, link, {
      returned: (value) => {
        const answer = readResourceReturn(value, uri, component.definition.mimeType);
        return answer === undefined ? notFound(uri) : { kind: 'complete', result: { ...answer }, cache: 'read' };
      },
      threw: (error) => this.threw(error, uri, component.host.owner),
    });
  }

  private find(uri: string): Target | undefined {
    const component = this.registry.findResource(uri);
    if (component !== undefined) return { component, variables: { uri } };
    return this.registry.matchTemplate(uri);
  }

  private threw(error: unknown, uri: string, owner: string): Outcome {
    const thrown = classify(error);
    if (thrown.kind === 'explained' && thrown.status === NOT_FOUND) return notFound(uri, thrown.message);
    return faulty(this.faults.toFault(error, owner));
  }
}

function notFound(uri: string, message = 'Resource not found'): Outcome {
  return faulty({ kind: 'resource-not-found', message, uri });
}
