import { Injectable } from '@nestjs/common';

import type { Operation, OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';
import type { CallLink } from './calls/call-link.js';
import type { OperationHandler, OperationLane } from './operation-handler.js';
import { CallToolOperation } from './operations/call-tool.operation.js';
import { CompleteOperation } from './operations/complete.operation.js';
import { DiscoverOperation } from './operations/discover.operation.js';
import { GetPromptOperation } from './operations/get-prompt.operation.js';
import { ListComponentsOperation } from './operations/list-components.operation.js';
import { ListenOperation } from './operations/listen.operation.js';
import { ReadResourceOperation } from './operations/read-resource.operation.js';

type Handlers = { readonly [K in Operation['kind']]: OperationHandler<K> };

/** Finds the handler of an operation and runs it. */
@Injectable()
export class Dispatcher {
  private readonly handlers: Handlers;

  // One parameter per kind of operation.
  constructor(
    discover: DiscoverOperation,
    list: ListComponentsOperation,
    callTool: CallToolOperation,
    readResource: ReadResourceOperation,
    getPrompt: GetPromptOperation,
    complete: CompleteOperation,
    listen: ListenOperation,
  ) {
    this.handlers = {
      discover,
      list,
      'call-tool': callTool,
      'read-resource': readResource,
      'get-prompt': getPrompt,
      complete,
      listen,
    };
  }

  laneOf(operation: Operation): OperationLane {
    return this.handlers[operation.kind].lane;
  }

  /** Time limit of the operation in milliseconds, if it has its own. */
  timeoutOf(operation: Operation): number | undefined {
    return (this.handlers[operation.kind] as OperationHandler).timeoutMs?.(operation);
  }

  /** Synchronous if no handler has to run, so that lists need no promise. */
  dispatch(request: OperationRequest, link: CallLink): Outcome | Promise<Outcome> {
    const handler = this.handlers[request.operation.kind] as OperationHandler;
    return handler.handle(request, link);
  }
}
