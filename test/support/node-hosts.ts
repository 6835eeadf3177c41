import type { createServer, Server } from 'node:http';
import { connect, createServer as createHttp2Server, type OutgoingHttpHeaders } from 'node:http2';

import type { DynamicModule } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import type { McpHttpOptions } from '../../lib/index.js';
import { ADAPTERS } from './adapters.js';
import { Desk, deskApp } from './desk.module.js';
import { AdaptedApp } from './http-hosts.js';
import { listen, listenerDesk } from './listener-app.js';
import { RawConnection, type RawAnswer } from './raw-http.js';
import { serve, type ServedApp } from './served-app.js';

type Shared = Pick<McpHttpOptions, 'allowedHosts' | 'maxBodyBytes' | 'maxPendingBodyBytes' | 'chunkedBodies'>;

/** A way for requests of HTTP/1.1 to reach the desk. */
export interface NodeHost {
  readonly name: string;
  readonly start: (options?: Shared) => Promise<HostedDesk>;
}

export class HostedDesk implements AsyncDisposable {
  constructor(
    private readonly served: ServedApp,
    /** The server behind the socket, where a test can reach it. */
    readonly server: Server | undefined,
  ) {}

  get origin(): string {
    return this.served.origin;
  }

  get desk(): Desk {
    return this.served.app.get(Desk, { strict: false });
  }

  connect(): Promise<RawConnection> {
    return RawConnection.open(this.origin);
  }

  /** These bytes on a connection of their own, and the answer. */
  async ask(bytes: string): Promise<RawAnswer> {
    using connection = await this.connect();
    connection.write(bytes);
    // Awaited here, since the connection goes with this block.
    return await connection.answer();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.served[Symbol.asyncDispose]();
  }
}

/** Express, Fastify, the own listener, and a server of the app itself. */
export const NODE_HOSTS: readonly NodeHost[] = [
  ...ADAPTERS.map((adapter) => ({
    name: adapter.name,
    start: async (options: Shared = {}) => {
      const served = await serve(deskApp({ http: options }), adapter);
      return new HostedDesk(served, served.app.getHttpServer() as Server);
    },
  })),
  {
    name: 'own listener',
    start: async (options = {}) => new HostedDesk(await listen(listenerDesk(options)), undefined),
  },
  { name: 'own server', start: (options = {}) => startServer(deskApp({ http: options })) },
];

/** Where the desk is reached by HTTP/2; Express does not speak it. */
export const HTTP2_HOSTS: readonly NodeHost[] = [
  {
    name: 'fastify',
    start: async (options = {}) => {
      const create = (): FastifyAdapter => new FastifyAdapter({ http2: true });
      const served = await serve(deskApp({ http: options }), { name: 'fastify', create: create as never });
      return new HostedDesk(served, served.app.getHttpServer() as Server);
    },
  },
  { name: 'own server', start: (options = {}) => startServer(deskApp({ http: options }), createHttp2Server as never) },
];

/** The status of the answer, or the code with which the server gave the stream up. */
export async function statusOverHttp2(
  origin: string,
  headers: OutgoingHttpHeaders,
  body: string,
): Promise<number | string> {
  const session = connect(origin);
  try {
    return await new Promise((resolve) => {
      const stream = session.request({ ':method': 'POST', ':path': '/mcp', ...headers });
      stream.on('response', ({ ':status': status }) => resolve(Number(status)));
      stream.on('error', ({ message }) => resolve(message.replace(/^.* /, '')));
      stream.resume().end(body);
    });
  } finally {
    session.close();
  }
}

async function startServer(module: DynamicModule, create?: typeof createServer): Promise<HostedDesk> {
  const adapted = await AdaptedApp.start(module, create);
  return new HostedDesk(adapted, adapted.server);
}
