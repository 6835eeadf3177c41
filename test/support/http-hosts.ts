import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { DynamicModule, INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { McpServer, type McpModuleOptions } from '../../lib/index.js';
import { ADAPTERS } from './adapters.js';
import { listen } from './listener-app.js';
import { selfSigned } from './self-signed.js';
import { serve, ServedApp } from './served-app.js';

type ModuleOf = (options: Partial<McpModuleOptions>) => DynamicModule;

/** Where requests of HTTP/1.1 come in; what is said of connections holds for all of them. */
export interface HttpHost {
  readonly name: string;
  readonly start: (moduleOf: ModuleOf, http?: McpModuleOptions['http'] & object) => Promise<ServedApp>;
}

/** An app without a server of its own, behind a server of Node. */
export class AdaptedApp extends ServedApp {
  static async start(module: DynamicModule, create: typeof createServer = createServer): Promise<AdaptedApp> {
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    const mcp = app.get(McpServer, { strict: false });
    const server = create((request, response) => mcp.handleNode(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new AdaptedApp(app as INestApplication, `http://127.0.0.1:${port}`, server);
  }

  private constructor(
    app: INestApplication,
    origin: string,
    readonly server: Server,
  ) {
    super(app, origin, '/mcp');
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    const closed = new Promise((resolve) => this.server.close(resolve));
    // A server of HTTP/2 has no such method; its clients have closed their sessions.
    (this.server as Partial<Server>).closeAllConnections?.();
    await closed;
  }
}

const LISTENER = { port: 0 };

export const HTTP_HOSTS: readonly HttpHost[] = [
  ...ADAPTERS.map((adapter): HttpHost => ({
    name: adapter.name,
    start: (moduleOf, http = {}) => serve(moduleOf({ http }), adapter),
  })),
  {
    name: 'the own listener',
    start: (moduleOf, http = {}) => listen(moduleOf({ http: false, listener: { ...LISTENER, ...http } })),
  },
  {
    name: 'the own listener with TLS',
    start: (moduleOf, http = {}) =>
      listen(moduleOf({ http: false, listener: { ...LISTENER, https: selfSigned('localhost'), ...http } })),
  },
  { name: 'a server of Node', start: (moduleOf, http = {}) => AdaptedApp.start(moduleOf({ http })) },
];
