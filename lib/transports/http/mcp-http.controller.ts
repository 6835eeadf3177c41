import { All, Controller, Req, Res, VERSION_NEUTRAL, type Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

import { ENDPOINT, type ControllerWrapper, type EndpointMetadata } from './endpoint-route.js';
import { HttpTransport } from './http.transport.js';

/** A controller class of its own for each server of each module definition. */
export function createHttpController(): Type<unknown> {
  @Controller({ version: VERSION_NEUTRAL })
  class McpHttpController {
    constructor(private readonly transport: HttpTransport) {}

    /** All methods: other than POST they are refused here, not by a 404 that clients would take for a missing server. */
    @All()
    handle(@Req() request: unknown, @Res() response: unknown): Promise<void> | undefined {
      return this.transport.reply(request, response);
    }
  }
  const { handle } = McpHttpController.prototype as { handle: object };
  Reflect.defineMetadata(ENDPOINT, McpHttpController, handle);
  // The endpoint is no REST route, so API documents leave it out.
  Reflect.defineMetadata('swagger/apiExcludeController', [true], McpHttpController);
  Reflect.defineMetadata('swagger/apiExcludeEndpoint', { disable: true }, handle);
  return McpHttpController;
}

/**
 * Gives the controller of this app a class of its own with path and enhancers, since two apps may be made from one
 * module definition. Without metadata the endpoint is taken out. Returns how Nest keeps the controller.
 */
export function fitHttpController(
  controller: Type<unknown>,
  modules: ModulesContainer,
  metadata: EndpointMetadata | undefined,
): ControllerWrapper | undefined {
  let fitted: ControllerWrapper | undefined;
  for (const module of modules.values()) {
    const wrapper = module.controllers.get(controller);
    if (wrapper === undefined) continue;
    if (metadata === undefined) {
      module.controllers.delete(controller);
    } else {
      wrapper.metatype = endpointClass(controller, metadata) as never;
      fitted = wrapper;
    }
  }
  return fitted;
}

function endpointClass(
  controller: Type<unknown>,
  { path, guards, interceptors, filters }: EndpointMetadata,
): Type<unknown> {
  class McpHttpController extends (controller as Type<object>) {}
  Reflect.defineMetadata('path', path, McpHttpController);
  Reflect.defineMetadata('__guards__', guards, McpHttpController);
  Reflect.defineMetadata('__interceptors__', interceptors, McpHttpController);
  Reflect.defineMetadata('__exceptionFilters__', filters, McpHttpController);
  return McpHttpController;
}
