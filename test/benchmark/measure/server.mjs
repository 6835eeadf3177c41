import { fileURLToPath } from 'node:url';
import { Child, CORES } from './child.mjs';

const FILES = {
  'node-http': '../floors/node-http.mjs',
  'streams-express': '../floors/streams-express.mjs',
  'streams-fastify': '../floors/streams-fastify.mjs',
  'plain-express': '../floors/plain-express.mjs',
  'plain-fastify': '../floors/plain-fastify.mjs',
  'ours-express': '../ours/ours-express.mjs',
  'ours-fastify': '../ours/ours-fastify.mjs',
  'ours-listener': '../ours/ours-listener.mjs',
  'guarded-plain-express': '../floors/guarded-express.mjs',
  'guarded-plain-fastify': '../floors/guarded-fastify.mjs',
  'guarded-ours-express': '../ours/guarded-express.mjs',
  'guarded-ours-fastify': '../ours/guarded-fastify.mjs',
  sdk: '../stand/peers/sdk.mjs',
  'mcp-nest-express': '../stand/peers/mcp-nest-express.mjs',
  'mcp-nest-fastify': '../stand/peers/mcp-nest-fastify.mjs',
};

const FIRST_TOOLS = 10;

/** One implementation in its own process. */
export class Server {
  #child;
  #served = new Map();

  constructor(name, child, port) {
    this.name = name;
    this.#child = child;
    this.url = `http://127.0.0.1:${port}/mcp`;
  }

  static async start(name, { tools = FIRST_TOOLS } = {}) {
    const file = fileURLToPath(new URL(FILES[name], import.meta.url));
    const child = new Child(file, { core: CORES.server, env: { BENCHMARK_TOOLS: String(tools) } });
    const { port } = await child.ready();
    return new Server(name, child, port);
  }

  /** @throws when the answer is not the right one. */
  async verify({ headers, body, check }) {
    const response = await fetch(this.url, { method: 'POST', headers, body });
    const text = await response.text();
    try {
      if (response.status !== 200) throw new Error(`status ${response.status}: ${text.slice(0, 200)}`);
      check(messagesIn(text, response.headers.get('content-type') ?? ''));
    } catch (error) {
      throw new Error(`${this.name} answers wrongly: ${error.message}`, { cause: error });
    }
  }

  /** How often it has answered a request; tells how warm it is. */
  servedOf(request) {
    return this.#served.get(request) ?? 0;
  }

  hasServed(request, count) {
    this.#served.set(request, this.servedOf(request) + count);
  }

  ask(question) {
    return this.#child.ask(question);
  }

  stop() {
    return this.#child.stop();
  }
}

function messagesIn(text, type) {
  if (!type.startsWith('text/event-stream')) return [JSON.parse(text)];
  const lines = text.split('\n').filter((line) => line.startsWith('data:'));
  return lines.map((line) => JSON.parse(line.slice('data:'.length)));
}

/** Servers that several rows share; each is started when a row first needs it. A `copy` beyond the first is one more process. */
export class Fleet {
  #servers = new Map();

  async get(name, options = {}) {
    const { tools = FIRST_TOOLS, copy = 1 } = options;
    const key = `${name} ${tools} ${copy}`;
    if (!this.#servers.has(key)) this.#servers.set(key, await Server.start(name, options));
    return this.#servers.get(key);
  }

  async stop() {
    await Promise.all([...this.#servers.values()].map((server) => server.stop()));
    this.#servers.clear();
  }
}
