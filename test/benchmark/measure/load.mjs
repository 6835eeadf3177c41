import { fileURLToPath } from 'node:url';
import { Child, CORES } from './child.mjs';

/** autocannon in a process of its own. */
export class Load {
  #child;

  constructor(child) {
    this.#child = child;
  }

  static async start() {
    const child = new Child(fileURLToPath(new URL('../stand/load.mjs', import.meta.url)), { core: CORES.load });
    await child.ready();
    return new Load(child);
  }

  /** Sends one request over and over for some `seconds`, or `amount` times; tells what the server spent on it. */
  async run(server, request, limits) {
    const { headers, body, frames } = request;
    const before = await server.ask('usage');
    const started = performance.now();
    const sent = await this.#child.ask('run', { url: server.url, headers, body, frames, ...limits });
    const elapsedMs = performance.now() - started;
    const after = await server.ask('usage');
    server.hasServed(request, sent.count);
    return {
      perSecond: sent.perSecond,
      p50: sent.p50,
      count: sent.count,
      clientBusy: sent.clientBusy,
      serverBusy: (after.activeMs - before.activeMs) / elapsedMs,
      cpu: (after.cpuMicroseconds - before.cpuMicroseconds) / sent.count,
      rssBytes: after.rssBytes,
    };
  }

  stop() {
    return this.#child.stop();
  }
}
