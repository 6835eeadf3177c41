import { Injectable } from '@nestjs/common';

import type { Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { PromptComponent } from '../../registry/registered-component.js';
import { AccessControl } from '../access/access.control.js';
import type { CallLink } from '../calls/call-link.js';
import { CallRunner, type CallEnding } from '../calls/call.runner.js';
import { FaultMapper } from '../fault.mapper.js';
import { faulty, type OperationHandler } from '../operation-handler.js';
import { readPromptReturn } from '../results/prompt.result.js';

type GetPrompt = Extract<Operation, { kind: 'get-prompt' }>;

/** The messages of a prompt. */
@Injectable()
export class GetPromptOperation implements OperationHandler<'get-prompt'>, CallEnding<PromptComponent, GetPrompt> {
  readonly lane = 'work';

  constructor(
    private readonly registry: ComponentRegistry,
    private readonly runner: CallRunner,
    private readonly faults: FaultMapper,
    private readonly access: AccessControl,
  ) {}

  timeoutMs({ name }: GetPrompt): number | undefined {
    return this.registry.findPrompt(name)?.options.timeoutMs;
  }

  handle(request: OperationRequest<GetPrompt>, link: CallLink): Outcome | Promise<Outcome> {
    const { name } = request.operation;
    const prompt = this.registry.findPrompt(name);
    const unknown = (): Outcome => faulty({ kind: 'unknown-component', message: `Unknown prompt: ${name}` });
    if (prompt === undefined) return unknown();
    return this.access.enter({ component: prompt, unknown }, request, link, () =>
      this.runner.run(prompt, request.operation.arguments, request, link, this),
    );
  }

  returned(value: unknown, { definition }: PromptComponent): Outcome {
    return { kind: 'complete', result: readPromptReturn(value, definition.description) };
  }

  threw(error: unknown, { host }: PromptComponent): Outcome {
    return faulty(this.faults.toFault(error, host.owner));
  }
}
