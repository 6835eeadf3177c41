import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('server.mjs', import.meta.url));

/** The server under test in a process of its own; ended by its own handle and nothing else. */
export class ServerProcess {
  #child;
  #next = 0;
  #waiting = new Map();
  #stderr = '';
  origin = '';
  /** Resolves with the exit code, or the signal that ended it. */
  ended;

  constructor(child) {
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      this.#stderr = (this.#stderr + piece).slice(-10_000);
    });
    child.on('message', ({ id, answer }) => {
      this.#waiting.get(id)?.resolve(answer);
      this.#waiting.delete(id);
    });
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        for (const { reject } of this.#waiting.values()) reject(new Error(`The server is gone: ${this.#stderr}`));
        this.#waiting.clear();
        resolve(code ?? signal);
      });
    });
  }

  static async start(adapter) {
    const child = spawn(process.execPath, ['--expose-gc', FILE, adapter], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    process.once('exit', () => child.kill('SIGKILL'));
    const server = new ServerProcess(child);
    const ready = new Promise((resolve) => child.once('message', resolve));
    const first = await Promise.race([ready, server.ended]);
    if (first?.port === undefined) throw new Error(`The server did not start: ${server.complaints}`);
    server.origin = `http://127.0.0.1:${first.port}`;
    return server;
  }

  get alive() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it wrote to stderr last. */
  get complaints() {
    return this.#stderr.trim();
  }

  ask(question) {
    this.#next += 1;
    const id = this.#next;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ question, id }, (error) => {
        if (error) reject(error);
      });
    });
  }

  terminate() {
    this.#child.kill('SIGTERM');
  }

  destroy() {
    this.#child.kill('SIGKILL');
  }
}
