import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ExecutionContext } from '@nestjs/common';

/** Stands for the controller where there is none, so that guards can ask for metadata and find nothing. */
class McpListener {
  handle(): void {}
}

const handler: unknown = Object.getOwnPropertyDescriptor(McpListener.prototype, 'handle')?.value;

/** One request as guards of the listener see it, with Node's own objects. Values have the types that guards ask for. */
export class ListenerContext {
  private constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {}

  static create(request: IncomingMessage, response: ServerResponse): ExecutionContext {
    return new ListenerContext(request, response) as unknown as ExecutionContext;
  }

  getType(): string {
    return 'http';
  }

  getClass(): unknown {
    return McpListener;
  }

  getHandler(): unknown {
    return handler;
  }

  getArgs(): readonly unknown[] {
    return [this.request, this.response];
  }

  getArgByIndex(index: number): unknown {
    return this.getArgs()[index];
  }

  switchToHttp(): Readonly<Record<string, () => unknown>> {
    return { getRequest: () => this.request, getResponse: () => this.response, getNext: () => undefined };
  }

  switchToRpc(): Readonly<Record<string, () => unknown>> {
    return { getData: () => this.request, getContext: () => this.response };
  }

  switchToWs(): Readonly<Record<string, () => unknown>> {
    return { getClient: () => this.request, getData: () => this.response, getPattern: () => '' };
  }
}
