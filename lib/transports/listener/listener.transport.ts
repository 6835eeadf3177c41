import { type Server, createServer, type ServerOptions } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { createServer as createSecureServer } from 'node:https';

import { logFailure } from '../../errors/failure.log.js';
import { InvalidOptionsError } from '../../errors/invalid-options.error.js';
import type { ExchangeHandler } from '../../server/exchange.handler.js';
import { BodyReader } from '../node-http/body.reader.js';
import { ReplyRoom } from '../node-http/reply-room.js';
import { NodePlatform } from '../node-http/http-platform.js';
import type { Transport } from '../transport.js';
import type { TrustedProperties } from '../trusted-properties.js';
import { AddressLimits } from './address.limits.js';
import { ListenerConnections } from './listener.connections.js';
import { ListenerEntrance } from './listener.entrance.js';
import { ListenerGuards } from './listener.guards.js';
import type { ListenerOptions } from './listener-options.interface.js';

/** Backlog of connections that are not accepted yet. */
const BACKLOG = 128;

/** Time for clients to read final answers when the app closes, in milliseconds. */
const FAREWELL_MS = 1_250;

/** A separate HTTP server for one MCP server. */
@Injectable()
export class ListenerTransport implements Transport {
  private readonly logger = new Logger('McpListener');
  private readonly bodies: BodyReader;
  private readonly room: ReplyRoom;
  private readonly guards: ListenerGuards;
  private readonly server: Server;
  private readonly connections: ListenerConnections;
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly options: ListenerOptions,
    properties: TrustedProperties,
    exchanges: ExchangeHandler,
    moduleRef: ModuleRef,
  ) {
    this.bodies = new BodyReader(options, exchanges.bodies);
    this.room = new ReplyRoom(options);
    this.guards = new ListenerGuards(options.guards, moduleRef, exchanges);
    this.server = this.createServer();
    this.connections = new ListenerConnections(this.server, options.https !== undefined);
    const { bodies, room, guards, server, connections } = this;
    const addresses = new AddressLimits(server, options);
    const parts = { platform: new NodePlatform(), bodies, properties, exchanges, guards, room, addresses };
    const entrance = new ListenerEntrance(
      { path: options.path, screen: exchanges.screeningFor(options, 'listener') },
      parts,
    );
    server.on('request', (request, response) => {
      connections.open(request, response);
      entrance.take(request, response);
    });
    server.on('checkContinue', (request, response) => {
      connections.open(request, response);
      entrance.take(request, response);
    });
  }

  /** URL of the endpoint; `undefined` while it accepts no requests. */
  get url(): string | undefined {
    const address = this.server.address() as AddressInfo | null;
    return address === null || this.stopped !== undefined ? undefined : urlOf(this.options, address.port);
  }

  /** URL of the endpoint as configured. */
  get plannedUrl(): string {
    return urlOf(this.options, this.options.port);
  }

  /** Creates the guards. */
  async prepare(): Promise<void> {
    await this.guards.resolve();
  }

  /** @throws InvalidOptionsError when the address cannot be used. */
  async start(): Promise<void> {
    const { host, port } = this.options;
    await new Promise<void>((resolve, reject) => {
      const refuse = ({ message }: Error): void =>
        reject(
          new InvalidOptionsError('listener', `nothing can listen there: ${message}. Choose another host or port.`),
        );
      this.server.once('error', refuse);
      this.server.listen({ host, port, backlog: BACKLOG }, () => {
        this.server.off('error', refuse);
        resolve();
      });
    });
    // A temporary error, for example a lack of file descriptors.
    this.server.on('error', (error) => logFailure(this.logger, 'The listener could not take a connection', error));
  }

  /** Accepts no new requests, waits for running ones, then ends the rest. May be repeated. */
  stop(): Promise<void> {
    this.stopped ??= this.close();
    return this.stopped;
  }

  private async close(): Promise<void> {
    const { room, server, connections } = this;
    room.replies.stop();
    this.bodies.abandon();
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    connections.dismiss();
    await room.replies.drain(this.options.drainTimeoutMs);
    const timer = setTimeout(() => connections.destroy(), FAREWELL_MS);
    await closed;
    clearTimeout(timer);
  }

  /** @throws InvalidOptionsError when key and certificate are invalid. */
  private createServer(): Server {
    try {
      return createListenerServer(this.options);
    } catch (error) {
      throw new InvalidOptionsError('listener.https', `it cannot be used: ${(error as Error).message}.`);
    }
  }
}

/** Wildcard addresses, and the loopback address for each. */
const ANY: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** URL of the endpoint for clients on this machine. */
function urlOf({ host, path, https }: Pick<ListenerOptions, 'host' | 'path' | 'https'>, port: number): string {
  const reached = ANY.get(host) ?? host;
  const name = isIPv6(reached) ? `[${reached}]` : reached;
  return `${https === undefined ? 'http' : 'https'}://${name}:${port}${path}`;
}

/** Interval of Node's checks for late requests, as a fraction of the time limit of a head. */
const LOOKS_PER_HEAD = 10;
const SHORTEST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 1_000;

/** Creates a Node server with limits for connections and requests. */
function createListenerServer(options: ListenerOptions): Server {
  const { https, maxConnections, headTimeoutMs } = options;
  const bounds = boundsOf(options);
  // The limits take precedence over the TLS options.
  const server =
    https === undefined
      ? createServer(bounds)
      : createSecureServer({ handshakeTimeout: headTimeoutMs, ...https, ...bounds });
  server.maxConnections = maxConnections;
  // With a maximum Node drops further headers silently, before they are checked. The size of the head is limited.
  server.maxHeadersCount = 0;
  return server;
}

function boundsOf({ headTimeoutMs, bodyTimeoutMs, idleTimeoutMs, maxHeadBytes }: ListenerOptions): ServerOptions {
  const look = Math.floor(headTimeoutMs / LOOKS_PER_HEAD);
  return {
    insecureHTTPParser: false,
    // Checked with the other faults of a head, so that all have the same form of answer.
    requireHostHeader: false,
    maxHeaderSize: maxHeadBytes,
    headersTimeout: headTimeoutMs,
    // Longer than the limits of a body, which start after the guards.
    requestTimeout: 2 * (headTimeoutMs + bodyTimeoutMs),
    keepAliveTimeout: idleTimeoutMs,
    connectionsCheckingInterval: Math.max(SHORTEST_LOOK_MS, Math.min(LONGEST_LOOK_MS, look)),
  };
}
