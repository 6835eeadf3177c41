import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ModuleRef } from '@nestjs/core';

import type { ExchangeHandler } from '../../server/exchange.handler.js';
import { INTERNAL_ERROR } from '../../wire/json-rpc.js';
import { refuse } from '../../wire/refusal.js';
import { writeRefusal } from '../http/early.screening.js';
import type { HttpOptions } from '../http/http-options.interface.js';
import { ListenerEntrance } from './listener.entrance.js';
import { ListenerGuards } from './listener.guards.js';
import { BodyReader } from '../node-http/body.reader.js';
import { ReplyRoom } from '../node-http/reply-room.js';
import { NodePlatform } from '../node-http/http-platform.js';
import type { Transport } from '../transport.js';
import type { TrustedProperties } from '../trusted-properties.js';

export type NodeRequest = IncomingMessage;
export type NodeResponse = ServerResponse;

/** Answers requests of a Node server of the app. */
export class NodeTransport implements Transport {
  private readonly bodies: BodyReader;
  private readonly room: ReplyRoom;
  private readonly entrance: ListenerEntrance;

  constructor(
    exchanges: ExchangeHandler,
    properties: TrustedProperties,
    limits: HttpOptions,
    moduleRef: ModuleRef,
    /** Error for requests before the app has started and after it has closed. */
    private readonly refuse: () => Error | undefined,
  ) {
    this.bodies = new BodyReader(limits, exchanges.bodies);
    this.room = new ReplyRoom(limits);
    const { bodies, room } = this;
    const guards = new ListenerGuards([], moduleRef, exchanges);
    const screen = exchanges.screen.bind(exchanges);
    this.entrance = new ListenerEntrance(
      { screen },
      { platform: new NodePlatform(), bodies, properties, exchanges, guards, room },
    );
  }

  handle(request: NodeRequest, response: NodeResponse): void {
    const refusal = this.refuse();
    if (refusal === undefined) {
      this.entrance.take(request, response);
      return;
    }
    writeRefusal(response, refuse(503, refusal.message, { code: INTERNAL_ERROR, closeConnection: true }));
  }

  async stop(timeoutMs: number): Promise<void> {
    this.room.replies.stop();
    this.bodies.abandon();
    await this.room.replies.drain(timeoutMs);
  }
}
