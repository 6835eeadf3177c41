import { Injectable } from '@nestjs/common';

import type { Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import { AccessControl } from '../access/access.control.js';
import { findResourceTarget, type ResourceTarget } from '../access/resource-target.js';
import type { CallLink } from '../calls/call-link.js';
import { CallRunner, type CallEnding } from '../calls/call.runner.js';
import { classify, FaultMapper } from '../fault.mapper.js';
import { faulty, type OperationHandler } from '../operation-handler.js';
import { readResourceReturn } from '../results/resource.result.js';

type ReadResource = Extract<Operation, { kind: 'read-resource' }>;
type ReadableComponent = ResourceTarget['component'];

const NOT_FOUND = 404;

/** A fixed URI, or one that a template matches. */
@Injectable()
export class ReadResourceOperation
  implements OperationHandler<'read-resource'>, CallEnding<ReadableComponent, ReadResource>
{
  readonly lane = 'work';

  constructor(
    private readonly registry: ComponentRegistry,
    private readonly runner: CallRunner,
    private readonly faults: FaultMapper,
    private readonly access: AccessControl,
  ) {}

  timeoutMs({ uri }: ReadResource): number | undefined {
    return findResourceTarget(this.registry, uri)?.component.options.timeoutMs;
  }

  handle(request: OperationRequest<ReadResource>, link: CallLink): Outcome | Promise<Outcome> {
    const { uri } = request.operation;
    const unknown = (): Outcome => notFound(uri);
    const target = findResourceTarget(this.registry, uri);
    if (target === undefined) return unknown();
    const { component, variables } = target;
    const requested = component.kind === 'template' ? { target } : {};
    return this.access.enter({ component, unknown, ...requested }, request, link, () =>
      this.runner.run(component, variables, request, link, this),
    );
  }

  returned(value: unknown, { definition }: ReadableComponent, request: OperationRequest<ReadResource>): Outcome {
    const { uri } = request.operation;
    const answer = readResourceReturn(value, uri, definition.mimeType);
    return answer === undefined ? notFound(uri) : { kind: 'complete', result: { ...answer }, cache: 'read' };
  }

  threw(error: unknown, { host }: ReadableComponent, request: OperationRequest<ReadResource>): Outcome {
    const thrown = classify(error);
    if (thrown.kind === 'explained' && thrown.status === NOT_FOUND) {
      return notFound(request.operation.uri, thrown.message);
    }
    return faulty(this.faults.toFault(error, host.owner));
  }
}

function notFound(uri: string, message = 'Resource not found'): Outcome {
  return faulty({ kind: 'resource-not-found', message, uri });
}
