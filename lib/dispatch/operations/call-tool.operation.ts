import { Injectable } from '@nestjs/common';

import type { ToolResult } from '../../model/content.js';
import { toolError } from '../../model/content.builders.js';
import type { Fields } from '../../model/fields.js';
import type { Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { ToolComponent } from '../../registry/registered-component.js';
import { AccessControl } from '../access/access.control.js';
import type { CallLink } from '../calls/call-link.js';
import { CallRunner, type CallEnding } from '../calls/call.runner.js';
import { classify, FaultMapper } from '../fault.mapper.js';
import { faulty, type OperationHandler } from '../operation-handler.js';
import { ResultError } from '../results/result.error.js';
import { readToolReturn, spoken, structured, type ToolReturn } from '../results/tool.result.js';

type CallTool = Extract<Operation, { kind: 'call-tool' }>;

/** Validates, invokes, validates again. */
@Injectable()
export class CallToolOperation implements OperationHandler<'call-tool'>, CallEnding<ToolComponent, CallTool> {
  readonly lane = 'work';

  constructor(
    private readonly registry: ComponentRegistry,
    private readonly runner: CallRunner,
    private readonly faults: FaultMapper,
    private readonly access: AccessControl,
  ) {}

  timeoutMs({ name }: CallTool): number | undefined {
    return this.registry.findTool(name)?.options.timeoutMs;
  }

  handle(request: OperationRequest<CallTool>, link: CallLink): Outcome | Promise<Outcome> {
    const { name } = request.operation;
    const tool = this.registry.findTool(name);
    const unknown = (): Outcome => faulty({ kind: 'unknown-component', message: `Unknown tool: ${name}` });
    if (tool === undefined) return unknown();
    return this.access.enter({ component: tool, unknown }, request, link, () =>
      this.runner.run(tool, request.operation.arguments, request, link, this),
    );
  }

  returned(value: unknown, tool: ToolComponent): Outcome | Promise<Outcome> {
    const hasOutput = tool.output !== undefined;
    const read = readToolReturn(value, hasOutput);
    if (!hasOutput) return unchecked(read);
    return read.kind === 'result' ? this.checkResult(read.result, tool) : this.checkValue(value, tool);
  }

  /** An error needs no structured content; anything else needs what the schema promises. */
  private async checkResult(result: ToolResult, tool: ToolComponent): Promise<Outcome> {
    if (result.isError === true) return complete(result);
    const checked = await this.checked(result.structuredContent, tool);
    return complete({ ...result, structuredContent: checked });
  }

  private async checkValue(value: unknown, tool: ToolComponent): Promise<Outcome> {
    return structured(await this.checked(value, tool));
  }

  /** What goes out is what the schema made of the value, so that nothing undeclared leaks. */
  private async checked(value: unknown, tool: ToolComponent): Promise<unknown> {
    const verdict = await tool.output?.validate(value);
    if (verdict === undefined || !verdict.ok) {
      const broken = verdict?.issues
        .map(({ path, message }) => `${path === '' ? 'the value' : path}: ${message}`)
        .join('; ');
      throw new ResultError(`The result does not fit the output schema of "${tool.definition.name}": ${broken}`);
    }
    return verdict.value;
  }

  threw(error: unknown, tool: ToolComponent): Outcome {
    const thrown = classify(error);
    switch (thrown.kind) {
      case 'protocol':
        return faulty(thrown.fault);
      case 'explained':
        return complete(toolError(thrown.message));
      case 'unknown':
        return faulty(this.faults.hide(error, tool.host.owner));
      default:
        return thrown satisfies never;
    }
  }
}

function unchecked(read: ToolReturn): Outcome {
  switch (read.kind) {
    case 'text':
      return spoken(read.text);
    case 'result':
      return complete(read.result);
    case 'value':
      return structured(read.value);
    default:
      return read satisfies never;
  }
}

function complete(result: ToolResult): Outcome {
  return { kind: 'complete', result: result as Fields & ToolResult };
}
