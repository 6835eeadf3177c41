import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { INTERNAL_ERROR } from '../../wire/json-rpc.js';
import { refuse } from '../../wire/refusal.js';
import { notesOf } from '../node-http/http-request.js';
import { FAREWELL_MS } from '../../server/open-replies.js';
import { writeRefusal } from './early.screening.js';

/** Interval between checks of a closing server, in milliseconds. */
const LOOK_MS = 50;

/** An HTTP/2 session, as far as it is needed here. */
interface Session {
  readonly socket: Pick<Socket, 'remoteAddress' | 'remotePort'>;
  readonly destroyed: boolean;
  close(): void;
}

interface Connection {
  /** As it was accepted. */
  readonly accepted: Socket;
  /** What HTTP is spoken on, once the handshake is done. */
  secure?: Socket;
  session?: Session;
}

/** The state that Node's server keeps on an HTTP/1.1 connection. */
interface Spoken {
  /** None on connections that were handed over, to WebSockets say, and on those without HTTP/1.1. */
  readonly parser?: object | null;
  /** The answer in progress; none while nothing, or not all of a head, has come. */
  readonly _httpMessage?: (ServerResponse & { readonly req: IncomingMessage }) | null;
}

const known = new WeakMap<Server, ServerClosing>();

/**
 * Ends what would keep the server of a closing app open for ever: connections without a request, and requests of this
 * library that something of the app holds back. What other routes do is never cut off.
 */
export class ServerClosing {
  private readonly connections = new Set<Connection>();
  private readonly byPeer = new Map<string, Connection>();
  private readonly isSecure: boolean;
  /** Streams of HTTP/2 show no request that is in progress, so these are remembered. */
  private readonly held = new Set<() => Iterable<ServerResponse>>();
  private deadline = 0;
  private timer: NodeJS.Timeout | undefined;

  /** One for a server, however many endpoints it has. */
  static of(server: Server): ServerClosing {
    const closing = known.get(server) ?? new ServerClosing(server);
    known.set(server, closing);
    return closing;
  }

  private constructor(private readonly server: Server) {
    this.isSecure = 'setSecureContext' in server;
    // In front, since a server of HTTP/2 makes the session in its own listener.
    server.prependListener('connection', (socket: Socket) => this.accept(socket));
    server.on('secureConnection', (socket: Socket) => this.secured(socket));
    server.on('session', (session: Session) => {
      const connection = this.byPeer.get(peerOf(session.socket));
      if (connection !== undefined) connection.session = session;
    });
    server.on('close', () => this.stop());
  }

  /** Where requests are found that nothing else shows. */
  include(held: () => Iterable<ServerResponse>): void {
    this.held.add(held);
  }

  /** From now on, once the app has closed its server, what is silent is ended; what is held back is after this time. */
  begin(timeoutMs: number): void {
    if (!this.server.listening) return;
    this.deadline = Math.max(this.deadline, performance.now() + timeoutMs + FAREWELL_MS);
    this.timer ??= setInterval(() => this.look(), LOOK_MS).unref();
  }

  private accept(socket: Socket): void {
    const connection: Connection = { accepted: socket };
    const peer = peerOf(socket);
    this.connections.add(connection);
    this.byPeer.set(peer, connection);
    socket.once('close', () => {
      this.connections.delete(connection);
      if (this.byPeer.get(peer) === connection) this.byPeer.delete(peer);
    });
  }

  private secured(socket: Socket): void {
    const connection = this.byPeer.get(peerOf(socket));
    if (connection !== undefined) connection.secure = socket;
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.deadline = 0;
  }

  private look(): void {
    // Other hooks of the app may still run before it closes its server.
    if (this.server.listening) return;
    (this.server as Partial<Server>).closeIdleConnections?.();
    const late = performance.now() - this.deadline;
    if (late >= 0) for (const held of this.held) for (const response of held()) endLate(response, late);
    for (const connection of this.connections) {
      if (connection.session !== undefined) endSession(connection.session, connection.accepted, late);
      else this.endSilent(connection, late);
    }
  }

  private endSilent({ accepted, secure }: Connection, late: number): void {
    const socket = secure ?? accepted;
    const { parser, _httpMessage: response } = socket as Socket & Spoken;
    const isWaitingForTls = this.isSecure && secure === undefined;
    if (!parser && !isWaitingForTls) return;
    if (response) {
      if (late >= 0 && notesOf(response.req) !== undefined) endLate(response, late);
    } else if (late >= 0 || socket.bytesRead === 0) {
      accepted.destroy();
    }
  }
}

/** A session that was told ends by itself with its last stream; its client may not close the connection. */
function endSession(session: Session, accepted: Socket, late: number): void {
  if (!session.destroyed) session.close();
  else if (late >= 0 || accepted.bytesRead === 0) accepted.destroy();
}

/** Something of the app holds this request back, a guard that never decides say. */
function endLate(response: ServerResponse, late: number): void {
  if (response.headersSent) {
    if (late >= FAREWELL_MS) response.destroy();
    return;
  }
  response.shouldKeepAlive = false;
  writeRefusal(response, refuse(503, 'The server is shutting down', { code: INTERNAL_ERROR }));
}

function peerOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`;
}
