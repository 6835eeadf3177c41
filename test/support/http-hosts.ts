import { createServer } from 'node:http';
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
class AdaptedApp extends ServedApp {
  static async start(module: DynamicModule): Promise<AdaptedApp> {
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    const mcp = app.get(McpServer, { strict: false });
    const server = createServer((request, response) => mcp.handleNode(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const adapted = new AdaptedApp(app as INestApplication, `http://127.0.0.1:${port}`, '/mcp');
    adapted.stop = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
    return adapted;
  }

  private stop: () => Promise<unknown> = () => Promise.resolve();

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await this.stop();
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
