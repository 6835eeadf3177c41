import { Injectable } from '@nestjs/common';

import type { CompletionTarget, Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { CompletionComponent, PromptComponent, TemplateComponent } from '../../registry/registered-component.js';
import { AccessControl } from '../access/access.control.js';
import type { CallLink } from '../calls/call-link.js';
import { CallRunner, type CallEnding } from './call.runner.js';
import { FaultMapper } from '../fault.mapper.js';
import { faulty, type OperationHandler } from '../operation-handler.js';
import { isFields } from '../../model/fields.js';
import { hasOnly } from './content.shapes.js';
import { ResultError } from './result.error.js';

type Complete = Extract<Operation, { kind: 'complete' }>;

const complete = (completion: Readonly<Record<string, unknown>>): Outcome => ({
  kind: 'complete',
  result: { completion },
});

/** Suggests values for an argument of a prompt or a variable of a template. */
@Injectable()
export class CompleteOperation implements OperationHandler<'complete'>, CallEnding<CompletionComponent, Complete> {
  readonly lane = 'work';

  constructor(
    private readonly registry: ComponentRegistry,
    private readonly runner: CallRunner,
    private readonly faults: FaultMapper,
    private readonly access: AccessControl,
  ) {}

  handle(request: OperationRequest<Complete>, link: CallLink): Outcome | Promise<Outcome> {
    const { target } = request.operation;
    const component = this.find(target);
    const label = target.kind === 'prompt' ? `prompt: ${target.name}` : `resource template: ${target.uri}`;
    const unknown = (): Outcome => faulty({ kind: 'unknown-component', message: `Unknown ${label}` });
    if (component === undefined) return unknown();
    const by = this.registry.findCompletion(target, request.operation.argument.name);
    return this.access.enter({ component, completion: { by }, unknown }, request, link, () =>
      this.complete(component, by, request, link),
    );
  }

  private complete(
    component: PromptComponent | TemplateComponent,
    completion: CompletionComponent | undefined,
    request: OperationRequest<Complete>,
    link: CallLink,
  ): Outcome | Promise<Outcome> {
    const { target, argument, context } = request.operation;
    const known = argumentsOf(component);
    const unknownName = [argument.name, ...(target.kind === 'prompt' ? Object.keys(context) : [])].find(
      (name) => !known.includes(name),
    );
    if (unknownName !== undefined)
      return faulty({ kind: 'invalid-params', message: `Unknown argument: ${unknownName}` });
    if (completion === undefined) return complete({ values: [] });
    const query = { value: argument.value, context };
    return this.runner.run(completion, query, request, link, this);
  }

  returned(value: unknown): Outcome {
    return complete(readCompletionReturn(value));
  }

  threw(error: unknown, { host }: CompletionComponent): Outcome {
    return faulty(this.faults.toFault(error, host.owner));
  }

  private find(target: CompletionTarget): PromptComponent | TemplateComponent | undefined {
    return target.kind === 'template' ? this.registry.findTemplate(target.uri) : this.registry.findPrompt(target.name);
  }
}

function argumentsOf(component: PromptComponent | TemplateComponent): readonly string[] {
  return component.kind === 'template'
    ? component.template.variables
    : (component.definition.arguments ?? []).map(({ name }) => name);
}

const MAX_VALUES = 100;

/** Reads the return value of a completion; more than 100 values are cut, and the result states the total. */
function readCompletionReturn(value: unknown): Readonly<Record<string, unknown>> {
  const given = Array.isArray(value) || value === undefined ? { values: value ?? [] } : value;
  if (!isFields(given) || !hasOnly(given, ['values', 'total', 'hasMore']) || !isTextList(given['values'])) {
    throw new ResultError('A completion returns a list of strings, or { values, total, hasMore }.');
  }
  const { values, total, hasMore } = given as { values: readonly string[]; total?: unknown; hasMore?: unknown };
  if (total !== undefined && (!Number.isSafeInteger(total) || (total as number) < values.length)) {
    throw new ResultError('The total of a completion is at least the number of its values.');
  }
  if (hasMore !== undefined && typeof hasMore !== 'boolean')
    throw new ResultError('"hasMore" of a completion is a boolean.');
  if (values.length > MAX_VALUES) {
    return { values: values.slice(0, MAX_VALUES), total: total ?? values.length, hasMore: true };
  }
  return { values, ...(total === undefined ? {} : { total }), ...(hasMore === undefined ? {} : { hasMore }) };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
