import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { networkOf } from '../../model/network-address.js';

/** What one address may have at the same time. */
export interface AddressBounds {
  readonly maxConnectionsPerAddress: number;
  readonly maxRequestsPerAddress: number;
}

/** An address that has a connection. */
class Peer {
  connections = 0;
  requests = 0;

  constructor(
    private readonly all: Map<string, Peer>,
    private readonly network: string,
  ) {}

  ended({ connections = 0, requests = 0 }: { readonly connections?: number; readonly requests?: number }): void {
    this.connections -= connections;
    this.requests -= requests;
    if (this.connections === 0 && this.requests === 0) this.all.delete(this.network);
  }
}

/** A connection on which requests have come. */
interface Line {
  readonly peer: Peer;
  open: number;
}

const lines = new WeakMap<Socket, Line>();

/** Keeps one address from having all connections of a listener, or all requests that it can handle. */
export class AddressLimits {
  private readonly peers = new Map<string, Peer>();

  constructor(
    server: Server,
    private readonly bounds: AddressBounds,
  ) {
    server.on('connection', (socket: Socket) => this.meet(socket));
  }

  /** Whether this request may be handled; it counts until it is answered or its client has gone. */
  enter({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const line = lines.get(socket) ?? this.begin(socket);
    if (line === undefined) return true;
    const { peer } = line;
    if (peer.requests >= this.bounds.maxRequestsPerAddress) return false;
    peer.requests += 1;
    line.open += 1;
    response.on('close', leave);
    return true;
  }

  private meet(socket: Socket): void {
    const peer = this.peerOf(socket);
    if (peer === undefined) return;
    if (peer.connections >= this.bounds.maxConnectionsPerAddress) {
      socket.destroy();
      return;
    }
    peer.connections += 1;
    socket.once('close', () => peer.ended({ connections: 1 }));
  }

  /** Answers that stand in line behind another one never hear that their connection has gone. */
  private begin(socket: Socket): Line | undefined {
    const peer = this.peerOf(socket);
    if (peer === undefined) return undefined;
    const line = { peer, open: 0 };
    lines.set(socket, line);
    socket.once('close', () => {
      lines.delete(socket);
      peer.ended({ requests: line.open });
    });
    return line;
  }

  /** Nobody, once the client has gone. */
  private peerOf({ remoteAddress, destroyed }: Socket): Peer | undefined {
    if (remoteAddress === undefined || destroyed) return undefined;
    const network = networkOf(remoteAddress);
    const known = this.peers.get(network);
    if (known !== undefined) return known;
    const peer = new Peer(this.peers, network);
    this.peers.set(network, peer);
    return peer;
  }
}

/** One for all responses, since requests should leave no function behind. */
function leave(this: ServerResponse): void {
  const line = lines.get(this.req.socket);
  if (line === undefined) return;
  line.open -= 1;
  line.peer.ended({ requests: 1 });
}
