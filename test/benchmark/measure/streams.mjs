import { fileURLToPath } from 'node:url';
import { Child, CORES } from './child.mjs';

/** Holds many open streams, in a process of its own beside the load generator's. */
export class Streams {
  #child;

  constructor(child) {
    this.#child = child;
  }

  static async start() {
    const child = new Child(fileURLToPath(new URL('streams.child.mjs', import.meta.url)), { core: CORES.load });
    await child.ready();
    return new Streams(child);
  }

  /** Returns once every stream was acknowledged. */
  open(server, { headers, body }, count) {
    return this.#child.ask('open', { url: server.url, headers, body, count });
  }

  /** Milliseconds from the call that publishes to the last frame here; both processes read the same clock. */
  async publish(server) {
    const { url } = server;
    await this.#child.ask('expect', { url });
    const published = await server.ask('publish');
    return (await this.#child.ask('arrived', { url })) - published;
  }

  close(server) {
    return this.#child.ask('close', { url: server.url });
  }

  stop() {
    return this.#child.stop();
  }
}
