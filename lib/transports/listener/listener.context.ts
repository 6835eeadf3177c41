import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ExecutionContext, Type } from '@nestjs/common';

type HttpHost = ReturnType<ExecutionContext['switchToHttp']>;
type RpcHost = ReturnType<ExecutionContext['switchToRpc']>;
type WsHost = ReturnType<ExecutionContext['switchToWs']>;

/** Stands for the controller where there is none, so that guards can ask for metadata and find nothing. */
export class McpListener {
  handle(): void {}
}

const handler = Object.getOwnPropertyDescriptor(McpListener.prototype, 'handle')?.value as () => void;

/** One request as guards of the listener see it, with Node's own objects. */
export class ListenerContext implements ExecutionContext {
  private readonly args: [IncomingMessage, ServerResponse];

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.args = [request, response];
  }

  getType<T extends string>(): T {
    return 'http' as T;
  }

  getClass<T>(): Type<T> {
    return McpListener as Type<unknown> as Type<T>;
  }

  getHandler(): () => void {
    return handler;
  }

  getArgs<T extends unknown[]>(): T {
    return this.args as unknown[] as T;
  }

  getArgByIndex<T>(index: number): T {
    return this.args[index] as T;
  }

  switchToHttp(): HttpHost {
    const [request, response] = this.args as [unknown, unknown];
    return {
      getRequest: <T>() => request as T,
      getResponse: <T>() => response as T,
      getNext: <T>() => undefined as T,
    };
  }

  switchToRpc(): RpcHost {
    return { getData: <T>() => this.getArgByIndex<T>(0), getContext: <T>() => this.getArgByIndex<T>(1) };
  }

  switchToWs(): WsHost {
    return {
      getClient: <T>() => this.getArgByIndex<T>(0),
      getData: <T>() => this.getArgByIndex<T>(1),
      getPattern: () => '',
    };
  }
}
