import { Injectable } from '@nestjs/common';

import type { ToolResult, ContentBlock } from '../../model/content.js';
import { toolError } from '../../model/content.builders.js';
import { type Fields, isFields } from '../../model/fields.js';
import type { Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome, CompleteOutcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { ToolComponent } from '../../registry/registered-component.js';
import type { SchemaVerdict } from '../../schema/component-schema.js';
import { AccessControl } from '../access/access.control.js';
import type { CallLink } from '../calls/call-link.js';
import { CallRunner, type CallEnding } from './call.runner.js';
import { classify, FaultMapper } from '../fault.mapper.js';
import { faulty, type OperationHandler } from '../operation-handler.js';
import { ResultError } from './result.error.js';
import { messageOf } from '../../errors/log-line.js';
import { hasOnly, isContentBlock } from './content.shapes.js';

type CallTool = Extract<Operation, { kind: 'call-tool' }>;

/** Calls a tool: validates its arguments, invokes it, and validates its result. */
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
    // Only an error may omit the structured content that the schema requires.
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

/** Continues with the value that the schema returned, so that undeclared members do not leak. Synchronous if the schema is. */
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

const RESULT_FIELDS = ['content', 'structuredContent', 'isError', '_meta'];

/** The return value of a handler, before its structured part is validated. */
type ToolReturn =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'result'; readonly result: ToolResult }
  | { readonly kind: 'value'; readonly value: unknown };

/**
 * Reads the return value of a tool: content blocks and full results by their exact shape, everything else as a value.
 * With an output schema, a value with the shape of a block is structured content too.
 */
export function readToolReturn(value: unknown, hasOutput: boolean): ToolReturn {
  // A copy, since the class of an instance may define `toJSON`.
  if (isToolResult(value)) return { kind: 'result', result: { ...value } };
  if (hasOutput) return { kind: 'value', value };
  if (value === undefined) return { kind: 'result', result: { content: [] } };
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (isContentBlock(value)) return { kind: 'result', result: { content: [value] } };
  if (isBlockList(value)) return { kind: 'result', result: { content: value } };
  return { kind: 'value', value };
}

/** Sends a structured value twice: as data for programs, and as text for models. @throws ResultError for values that JSON cannot encode. */
function structured(value: unknown): CompleteOutcome {
  const text = jsonOf(value);
  return { kind: 'complete', result: { content: [{ type: 'text', text }], structuredContent: value }, text };
}

function spoken(text: string): CompleteOutcome {
  return { kind: 'complete', result: { content: [{ type: 'text', text }] }, text };
}

/** @throws ResultError for values that JSON cannot encode. */
export function jsonOf(value: unknown): string {
  // JSON would encode the bytes as an object with one member per byte, which clients cannot use.
  if (value instanceof Uint8Array) {
    throw new ResultError('Bytes cannot be returned as they are. Wrap them in image(), audio(), embedded() or blob().');
  }
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw new ResultError(`The returned value cannot be written as JSON: ${messageOf(error)}`);
  }
  if (json === undefined) throw new ResultError(`A ${typeof value} cannot be returned; return JSON.`);
  return json;
}

function isToolResult(value: unknown): value is ToolResult {
  return (
    isFields(value) &&
    Array.isArray(value['content']) &&
    hasOnly(value, RESULT_FIELDS) &&
    value['content'].every(isContentBlock) &&
    (value['isError'] === undefined || typeof value['isError'] === 'boolean') &&
    (value['_meta'] === undefined || isFields(value['_meta']))
  );
}

function isBlockList(value: unknown): value is readonly ContentBlock[] {
  return Array.isArray(value) && value.length > 0 && value.every(isContentBlock);
}
