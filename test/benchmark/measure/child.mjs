import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const TASKSET = '/usr/bin/taskset';
const CAN_PIN = existsSync(TASKSET) && availableParallelism() > 1;

/** Servers and load generator live on different cores where the system lets us choose. */
export const CORES = Object.freeze({ server: '0', load: '1' });

/** How Node runs a file, on one core where that can be chosen. */
export function taskOf(file, core) {
  return CAN_PIN ? [TASKSET, ['-c', core, process.execPath, file]] : [process.execPath, [file]];
}

/** A child process that answers questions over its channel; ended by its own handle and nothing else. */
export class Child {
  #child;
  #next = 0;
  #waiting = new Map();

  constructor(file, { core, env = {} }) {
    const [command, args] = taskOf(file, core);
    this.#child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, ...env, NODE_ENV: 'production' },
    });
    this.#child.on('message', (message) => this.#take(message));
    this.#child.on('exit', (code) => this.#fail(new Error(`${file} ended with code ${code}`)));
    this.#child.on('error', (error) => this.#fail(error));
  }

  /** What the child says by itself, once it is ready. */
  ready() {
    return new Promise((resolve, reject) => this.#waiting.set('ready', { resolve, reject }));
  }

  ask(question, options) {
    this.#next += 1;
    const id = this.#next;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ question, id, options });
    });
  }

  stop() {
    return new Promise((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) return resolve();
      this.#child.once('exit', () => resolve());
      this.#child.kill('SIGKILL');
    });
  }

  #take(message) {
    const key = message.id ?? 'ready';
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (message.failure === undefined) waiting?.resolve(message.id === undefined ? message : message.answer);
    else waiting?.reject(new Error(message.failure));
  }

  #fail(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
