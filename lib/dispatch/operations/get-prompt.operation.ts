import { Injectable } from '@nestjs/common';

import type { Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { PromptComponent } from '../../registry/registered-component.js';
import { AccessControl } from '../access/access.control.js';
import type { CallLink } from '../calls/call-link.js';
import { CallRunner, type CallEnding } from './call.runner.js';
import { FaultMapper } from '../fault.mapper.js';
import { faulty, type OperationHandler } from '../operation-handler.js';
import type { PromptMessage } from '../../model/content.js';
import { isFields } from '../../model/fields.js';
import { hasOnly, isContentBlock } from './content.shapes.js';
import { ResultError } from './result.error.js';

type GetPrompt = Extract<Operation, { kind: 'get-prompt' }>;

/** Answers with the messages of a prompt. */
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

/** Reads the return value of a prompt. */
function readPromptReturn(value: unknown, description: string | undefined): Readonly<Record<string, unknown>> {
  const described = description === undefined ? {} : { description };
  if (isFields(value) && Array.isArray(value['messages'])) return readFull(value, described);
  return { ...described, messages: (Array.isArray(value) ? value : [value]).map(readMessage) };
}

function readFull(value: Readonly<Record<string, unknown>>, described: object): Readonly<Record<string, unknown>> {
  const { messages, description, _meta: meta } = value;
  if (
    !hasOnly(value, ['messages', 'description', '_meta']) ||
    (description !== undefined && typeof description !== 'string') ||
    (meta !== undefined && !isFields(meta))
  ) {
    throw new ResultError('A full answer of a prompt has "messages", and may have a "description" and "_meta".');
  }
  return {
    ...described,
    ...(description === undefined ? {} : { description }),
    ...(meta === undefined ? {} : { _meta: meta }),
    messages: (messages as readonly unknown[]).map(readMessage),
  };
}

function readMessage(value: unknown): PromptMessage {
  if (typeof value === 'string') return { role: 'user', content: { type: 'text', text: value } };
  if (isContentBlock(value)) return { role: 'user', content: value };
  if (!isFields(value) || (value['role'] !== 'user' && value['role'] !== 'assistant')) {
    throw new ResultError('A prompt returns a string, a message { role, content } or a list of them.');
  }
  const content = value['content'];
  if (typeof content === 'string') return { role: value['role'], content: { type: 'text', text: content } };
  if (!isContentBlock(content)) {
    throw new ResultError(
      'The content of a prompt message is a string or one content block, such as text() or image().',
    );
  }
  return { role: value['role'], content };
}
