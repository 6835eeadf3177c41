import { Injectable } from '@nestjs/common';

import type { CompletionTarget, Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { CompletionComponent } from '../../registry/registered-component.js';
import type { CallLink } from '../calls/call-link.js';
import { CallRunner, type CallEnding } from '../calls/call.runner.js';
import { FaultMapper } from '../fault.mapper.js';
import { faulty, type OperationHandler } from '../operation-handler.js';
import { readCompletionReturn } from '../results/completion.result.js';

type Complete = Extract<Operation, { kind: 'complete' }>;

const complete = (completion: Readonly<Record<string, unknown>>): Outcome => ({
  kind: 'complete',
  result: { completion },
});

/** Suggestions for an argument of a prompt or a variable of a template. */
@Injectable()
export class CompleteOperation implements OperationHandler<'complete'>, CallEnding<CompletionComponent, Complete> {
  readonly lane = 'work';

  constructor(
    private readonly registry: ComponentRegistry,
    private readonly runner: CallRunner,
    private readonly faults: FaultMapper,
  ) {}

  handle(request: OperationRequest<Complete>, link: CallLink): Outcome | Promise<Outcome> {
    const { target, argument, context } = request.operation;
    const known = this.argumentsOf(target);
    if (known === undefined) {
      const label = target.kind === 'prompt' ? `prompt: ${target.name}` : `resource template: ${target.uri}`;
      return faulty({ kind: 'unknown-component', message: `Unknown ${label}` });
    }
    const stranger = [argument.name, ...(target.kind === 'prompt' ? Object.keys(context) : [])].find(
      (name) => !known.includes(name),
    );
    if (stranger !== undefined) return faulty({ kind: 'invalid-params', message: `Unknown argument: ${stranger}` });
    const completion = this.registry.findCompletion(target, argument.name);
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

  private argumentsOf(target: CompletionTarget): readonly string[] | undefined {
    if (target.kind === 'template') return this.registry.findTemplate(target.uri)?.template.variables;
    const prompt = this.registry.findPrompt(target.name);
    return prompt && (prompt.definition.arguments ?? []).map(({ name }) => name);
  }
}
