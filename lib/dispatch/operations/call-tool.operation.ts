import { Injectable } from '@nestjs/common';

import type { ToolResult } from '../../model/content.js';
import { toolError } from '../../model/content.builders.js';
import type { Fields } from '../../model/fields.js';
import type { Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { ToolComponent } from '../../registry/registered-component.js';
import type { SchemaVerdict } from '../../schema/component-schema.js';
import { AccessControl } from '../access/access.control.js';
import type { CallLink } from '../calls/call-link.js';
import { CallRunner, type CallEnding } from './call.runner.js';
import { classify, FaultMapper } from '../fault.mapper.js';
import { faulty, type OperationHandler } from '../operation-handler.js';
import { ResultError } from './result.error.js';
import { readToolReturn, spoken, structured, type ToolReturn } from './tool.result.js';

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
    const { output } = tool;
    const read = readToolReturn(value, output !== undefined);
    if (output === undefined) return unchecked(read);
    if (read.kind !== 'result') return whenValid(output.validate(value), tool, structured);
    const { result } = read;
    // An error needs no structured content; anything else needs what the schema promises.
    if (result.isError === true) return complete(result);
    return whenValid(output.validate(result.structuredContent), tool, (structuredContent) =>
      complete({ ...result, structuredContent }),
    );
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

/** What goes out is what the schema made of the value, so that nothing undeclared leaks. Waits where the schema does. */
function whenValid(
  verdict: SchemaVerdict | Promise<SchemaVerdict>,
  tool: ToolComponent,
  conclude: (checked: unknown) => Outcome,
): Outcome | Promise<Outcome> {
  return verdict instanceof Promise
    ? verdict.then((settled) => conclude(checkedValue(settled, tool)))
    : conclude(checkedValue(verdict, tool));
}

function checkedValue(verdict: SchemaVerdict, { definition }: ToolComponent): unknown {
  if (verdict.ok) return verdict.value;
  const broken = verdict.issues
    .map(({ path, message }) => `${path === '' ? 'the value' : path}: ${message}`)
    .join('; ');
  throw new ResultError(`The result does not fit the output schema of "${definition.name}": ${broken}`);
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
