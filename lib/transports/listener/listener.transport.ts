import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Injectable, Logger } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';

import { logFailure } from '../../errors/error-reference.js';
import { InvalidOptionsError } from '../../errors/invalid-options.error.js';
import type { ExchangeHandler } from '../../server/exchange.handler.js';
import { BodyReader } from '../node-http/body.reader.js';
import { ReplyRoom } from '../node-http/reply-room.js';
import { NodePlatform } from '../node-http/node.platform.js';
import type { TrustedProperties } from '../trusted-properties.js';
import { AddressLimits } from './address.limits.js';
import { ListenerConnections } from './listener.connections.js';
import { ListenerEntrance } from './listener.entrance.js';
import { ListenerGuards } from './listener.guards.js';
import type { ListenerOptions } from './listener-options.interface.js';
import { urlOf } from './listener-url.js';
import { createListenerServer } from './server.factory.js';

/** Connections that wait to be accepted. */
const BACKLOG = 128;

/** How long the last words of closing may take to be read. */
const FAREWELL_MS = 1_250;

/** An HTTP server of its own for one MCP server, whatever else the app listens to. */
@Injectable()
export class ListenerTransport {
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
    const entrance = new ListenerEntrance({ path: options.path, door: exchanges.doorOf(options, 'listener') }, parts);
    server.on('request', (request, response) => {
      connections.open(request, response);
      entrance.take(request, response);
    });
    server.on('checkContinue', (request, response) => {
      connections.open(request, response);
      entrance.take(request, response);
    });
  }

  /** Where it takes requests; `undefined` while it does not. */
  get url(): string | undefined {
    const address = this.server.address() as AddressInfo | null;
    return address === null || this.stopped !== undefined ? undefined : urlOf(this.options, address.port);
  }

  /** Where it would, as far as that is known before. */
  get plannedUrl(): string {
    return urlOf(this.options, this.options.port);
  }

  /** Makes the guards. */
  async prepare(): Promise<void> {
    await this.guards.resolve();
  }

  /** @throws InvalidOptionsError when the address cannot be had. */
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
    // Running out of file descriptors, say, which ends by itself.
    this.server.on('error', (error) => logFailure(this.logger, 'The listener could not take a connection', error));
  }

  /** Takes nothing new, waits for what runs, then cuts off the rest; harmless to repeat. */
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

  /** @throws InvalidOptionsError when key and certificate are none. */
  private createServer(): Server {
    try {
      return createListenerServer(this.options);
    } catch (error) {
      throw new InvalidOptionsError('listener.https', `it cannot be used: ${(error as Error).message}.`);
    }
  }
}
