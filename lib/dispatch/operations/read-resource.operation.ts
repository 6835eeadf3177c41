import { Injectable } from '@nestjs/common';

import type { Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import { AccessControl } from '../access/access.control.js';
import { findResourceTarget, type ResourceTarget } from '../access/resource-target.js';
import type { CallLink } from '../calls/call-link.js';
import { CallRunner, type CallEnding } from './call.runner.js';
import { classify, FaultMapper } from '../fault.mapper.js';
import { faulty, type OperationHandler } from '../operation-handler.js';
import type { ResourceContents } from '../../model/content.js';
import { isFields } from '../../model/fields.js';
import { hasOnly, isResourceContents } from './content.shapes.js';
import { ResultError } from './result.error.js';
import { jsonOf } from './call-tool.operation.js';

type ReadResource = Extract<Operation, { kind: 'read-resource' }>;
type ReadableComponent = ResourceTarget['component'];

const NOT_FOUND = 404;

/** Reads a fixed resource, or one whose URI matches a template. */
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

const PART_FIELDS = ['uri', 'mimeType', 'blob', '_meta'];

/** The members of a read result that other results do not have. */
export interface ResourceAnswer {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Reads the return value of a resource; `undefined` when there is no resource at this URI. */
function readResourceReturn(value: unknown, uri: string, mimeType: string | undefined): ResourceAnswer | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return { contents: [{ uri, mimeType: mimeType ?? 'text/plain', text: value }] };
  if (value instanceof Uint8Array) {
    const blob = Buffer.from(value).toString('base64');
    return { contents: [{ uri, blob, mimeType: mimeType ?? 'application/octet-stream' }] };
  }
  if (isAnswer(value)) {
    return { ...value, contents: value.contents.map((part) => completePart(part, uri, mimeType)) };
  }
  if (isBlobPart(value)) return { contents: [completePart(value, uri, mimeType)] };
  return { contents: [{ uri, mimeType: mimeType ?? 'application/json', text: jsonOf(value) }] };
}

function isAnswer(value: unknown): value is { readonly contents: readonly unknown[] } {
  return (
    isFields(value) &&
    hasOnly(value, ['contents', '_meta']) &&
    Array.isArray(value['contents']) &&
    (value['_meta'] === undefined || isFields(value['_meta']))
  );
}

function isBlobPart(value: unknown): boolean {
  return isFields(value) && typeof value['blob'] === 'string' && hasOnly(value, PART_FIELDS);
}

function completePart(part: unknown, uri: string, mimeType: string | undefined): ResourceContents {
  const completed: unknown = isFields(part) ? { uri, ...(mimeType === undefined ? {} : { mimeType }), ...part } : part;
  if (!isResourceContents(completed)) {
    throw new ResultError(
      'Each of the contents of a resource needs either "text" or "blob", and may have "uri", "mimeType" and "_meta".',
    );
  }
  return completed;
}
