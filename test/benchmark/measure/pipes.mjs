import { fileURLToPath } from 'node:url';
import { Child, CORES } from './child.mjs';

const FILES = {
  readline: '../floors/readline.mjs',
  'ours-stdio': '../ours/ours-stdio.mjs',
  'sdk-stdio': '../stand/peers/sdk-stdio.mjs',
};

/** A load generator whose servers are its own children, since it holds their pipes. */
export class Pipes {
  #child;

  constructor(child) {
    this.#child = child;
  }

  static async start() {
    const child = new Child(fileURLToPath(new URL('pipes.child.mjs', import.meta.url)), { core: CORES.load });
    await child.ready();
    return new Pipes(child);
  }

  async serve(name) {
    const file = fileURLToPath(new URL(FILES[name], import.meta.url));
    await this.#child.ask('serve', { name, file, core: CORES.server });
    return new PipedServer(name, this.#child);
  }

  /** Keeps so many `connections` outstanding, though all share one pipe. */
  async run(server, { body }, { connections, ...limits }) {
    const sent = await this.#child.ask('run', { name: server.name, body, outstanding: connections, ...limits });
    server.hasServed(body, sent.count);
    return sent;
  }

  stop() {
    return this.#child.stop();
  }
}

/** One implementation at the other end of a pipe. */
class PipedServer {
  #served = new Map();

  constructor(name, generator) {
    this.name = name;
    this.generator = generator;
  }

  /** @throws when the answer is not the right one. */
  async verify({ body, check }) {
    const text = await this.generator.ask('answer', { name: this.name, body });
    try {
      check([JSON.parse(text)]);
    } catch (error) {
      throw new Error(`${this.name} answers wrongly: ${error.message}`, { cause: error });
    }
  }

  servedOf({ body }) {
    return this.#served.get(body) ?? 0;
  }

  hasServed(body, count) {
    this.#served.set(body, (this.#served.get(body) ?? 0) + count);
  }
}
