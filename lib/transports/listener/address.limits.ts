import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { networkOf } from '../../model/network-address.js';

/** Limits for one network address. */
export interface AddressBounds {
  readonly maxConnectionsPerAddress: number;
  readonly maxRequestsPerAddress: number;
}

/** The counts of one network address. */
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

/** A connection that has received a request. */
interface Line {
  readonly peer: Peer;
  open: number;
}

const lines = new WeakMap<Socket, Line>();

/** Limits connections and requests per address, so that one address cannot occupy the whole listener. */
export class AddressLimits {
  private readonly peers = new Map<string, Peer>();

  constructor(
    server: Server,
    private readonly bounds: AddressBounds,
  ) {
    server.on('connection', (socket: Socket) => this.meet(socket));
  }

  /** Whether the request may be handled. It counts until it is answered or its client has left. */
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

  /** Pipelined answers get no `close` event of their connection, so the connection is watched. */
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

  /** `undefined` after the client has left. */
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

/** One function for all responses, so that a request allocates no closure. */
function leave(this: ServerResponse): void {
  const line = lines.get(this.req.socket);
  if (line === undefined) return;
  line.open -= 1;
  line.peer.ended({ requests: 1 });
}
