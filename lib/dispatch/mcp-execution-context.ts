import type { ArgumentsHost } from '@nestjs/common';

import type { ComponentKind } from '../model/component.js';
import { CALL_INDEX, type McpContext } from '../decorators/mcp-context.js';
import type { Call } from './calls/call.js';

/**
 * The MCP side of an execution context of type `'mcp'`, for guards, interceptors, filters and parameter decorators.
 *
 * @publicApi
 */
export class McpExecutionContext {
  private constructor(private readonly call: Call) {}

  /** @throws TypeError when the context is not of type `'mcp'`; ask `context.getType()` first. */
  static create(host: ArgumentsHost): McpExecutionContext {
    if (host.getType<string>() !== 'mcp') {
      throw new TypeError(`This context is of type "${host.getType<string>()}", not "mcp". Ask getType() first.`);
    }
    return new McpExecutionContext(host.getArgByIndex<Call>(CALL_INDEX));
  }

  /** Kind and name of the called component; the name of a resource is its URI, that of a template its source. */
  getComponent(): { readonly kind: ComponentKind | 'completion'; readonly name: string } {
    const { component } = this.call;
    switch (component.kind) {
      case 'tool':
      case 'prompt':
        return { kind: component.kind, name: component.definition.name };
      case 'resource':
        return { kind: component.kind, name: component.definition.uri };
      case 'template':
        return { kind: component.kind, name: component.definition.uriTemplate };
      case 'completion':
        return { kind: component.kind, name: component.argument };
      default:
        return component satisfies never;
    }
  }

  /** The arguments: parsed in guards and interceptors, validated when the handler runs. */
  getArguments(): Readonly<Record<string, unknown>> {
    return this.call.arguments as Readonly<Record<string, unknown>>;
  }

  getContext(): McpContext {
    return this.call.context;
  }
}
