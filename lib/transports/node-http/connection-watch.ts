import type { Socket } from 'node:net';

/**
 * Tells when a connection has gone. An answer that stands in line behind another one of its connection has no socket yet,
 * and never hears of the end by itself. One listener for a connection, however many answers stand in line.
 */
export class ConnectionWatch {
  private readonly waiting = new WeakMap<Socket, Set<() => void>>();

  add(socket: Socket, closed: () => void): void {
    const known = this.waiting.get(socket);
    if (known !== undefined) {
      known.add(closed);
      return;
    }
    const all = new Set([closed]);
    this.waiting.set(socket, all);
    socket.once('close', () => {
      this.waiting.delete(socket);
      for (const tell of all) tell();
    });
  }

  delete(socket: Socket, closed: () => void): void {
    this.waiting.get(socket)?.delete(closed);
  }
}
