import type { Provider, Type } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModuleRef, ModulesContainer } from '@nestjs/core';

import { MCP_CONTROLLER, MCP_SETTINGS } from './mcp.constants.js';
import type { McpSettings } from './options/settings.js';
import { ExchangeHandler } from './server/exchange.handler.js';
import { endpointPath } from './transports/http/endpoint-paths.js';
import { HttpTransport, fitHttpController } from './transports/http/http.transport.js';
import { ListenerTransport } from './transports/listener/listener.transport.js';
import { InProcessTransport } from './transports/in-process/in-process.transport.js';
import { NodeTransport } from './transports/listener/node.transport.js';
import type { Transport } from './transports/transport.js';
import { WebTransport } from './transports/web/web.transport.js';

/** All transports of a server, in the order in which it starts and stops them. */
export const TRANSPORTS = Symbol('nestjs-mcp.transports');

/** A missing transport is `undefined`: no HTTP adapter, or no listener in the options. */
export const transportProviders: readonly Provider[] = [
  {
    provide: HttpTransport,
    useFactory: openHttpTransport,
    inject: [
      MCP_SETTINGS,
      ExchangeHandler,
      HttpAdapterHost,
      ApplicationConfig,
      ModuleRef,
      ModulesContainer,
      MCP_CONTROLLER,
    ],
  },
  {
    provide: ListenerTransport,
    useFactory: ({ listener, properties }: McpSettings, exchanges: ExchangeHandler, moduleRef: ModuleRef) =>
      listener === undefined ? undefined : new ListenerTransport(listener, properties, exchanges, moduleRef),
    inject: [MCP_SETTINGS, ExchangeHandler, ModuleRef],
  },
  {
    provide: InProcessTransport,
    useFactory: ({ properties }: McpSettings, exchanges: ExchangeHandler) =>
      new InProcessTransport(exchanges, properties),
    inject: [MCP_SETTINGS, ExchangeHandler],
  },
  {
    provide: WebTransport,
    useFactory: ({ properties, web }: McpSettings, exchanges: ExchangeHandler, inProcess: InProcessTransport) =>
      new WebTransport(exchanges, properties, web, () => inProcess.refuse()),
    inject: [MCP_SETTINGS, ExchangeHandler, InProcessTransport],
  },
  {
    provide: NodeTransport,
    useFactory: createNodeTransport,
    inject: [MCP_SETTINGS, ExchangeHandler, InProcessTransport, ModuleRef],
  },
  {
    provide: TRANSPORTS,
    useFactory: (...transports: (Transport | undefined)[]): readonly Transport[] =>
      transports.filter((transport) => transport !== undefined),
    inject: [
      { token: HttpTransport, optional: true },
      { token: ListenerTransport, optional: true },
      ...[InProcessTransport, WebTransport, NodeTransport],
    ],
  },
];

function createNodeTransport(
  { properties, web }: McpSettings,
  exchanges: ExchangeHandler,
  inProcess: InProcessTransport,
  moduleRef: ModuleRef,
): NodeTransport {
  return new NodeTransport(exchanges, properties, web, moduleRef, () => inProcess.refuse());
}

function openHttpTransport(
  { http, properties }: McpSettings,
  exchanges: ExchangeHandler,
  adapters: HttpAdapterHost,
  config: ApplicationConfig,
  ...[moduleRef, modules, controller]: [ModuleRef, ModulesContainer, Type<unknown>]
): HttpTransport | undefined {
  // Null differs from "not yet created": it is an application context without an HTTP server.
  const reachable = (adapters.httpAdapter as unknown) !== null;
  const transport =
    http === false || !reachable
      ? undefined
      : new HttpTransport(
          http,
          properties,
          exchanges,
          adapters,
          { mark: controller, path: () => endpointPath(http.path, controller, modules, config) },
          config,
          moduleRef,
        );
  const fitted = fitHttpController(controller, modules, transport?.metadata());
  transport?.mount(fitted);
  return transport;
}
