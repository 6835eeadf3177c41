import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { mcpRequest } from './mcp-request.js';
import { checkWireMessage, type WireMessage } from './wire-oracle.js';

const MAIN = fileURLToPath(new URL('../fixtures/stdio/main.mjs', import.meta.url));
const HOOKS = new URL('../fixtures/stdio/framework.hooks.mjs', import.meta.url).href;
/** Where this spec has its framework from, so that the child has the same. */
const FRAMEWORK_HOME = createRequire(import.meta.url).resolve('@nestjs/core');

/** A test that fails may never come to the end of its child. */
export const LIFETIME = { timeout: 120_000, killSignal: 'SIGKILL' } as const;

export interface ChildOptions {
  /** Options of `serveStdio`. */
  readonly options?: object;
  readonly limits?: object;
  readonly env?: Readonly<Record<string, string>>;
  /** Another program than the workbench. */
  readonly main?: string;
}

/** How Node is started for the workbench. */
export function commandOf({ options = {}, limits = {}, env = {}, main = MAIN }: ChildOptions = {}) {
  return {
    command: process.execPath,
    args: ['--import', HOOKS, main],
    env: {
      ...(process.env as Record<string, string>),
      ...env,
      FRAMEWORK_HOME,
      OPTIONS: JSON.stringify(options),
      MODULE: JSON.stringify({ limits }),
    },
  };
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One request as a line. */
export function line(id: unknown, method: string, params = {}, meta = {}): string {
  return `${mcpRequest(method, params, { id, meta }).body}\n`;
}

export const call = (id: unknown, name: string, args = {}, meta = {}): string =>
  line(id, 'tools/call', { name, arguments: args }, meta);

export const cancel = (requestId: unknown, more = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, ...more } })}\n`;

/** A server in a process of its own, on real pipes; every line that it writes is checked against the official schemas. */
export class StdioChild implements AsyncDisposable {
  readonly messages: WireMessage[] = [];
  /** Everything it wrote to stdout, as bytes. */
  readonly output: Buffer[] = [];
  stderr = '';
  readonly ended: Promise<Exit>;
  private rest = '';
  private hasEnded = false;
  private readonly waiting = new Set<() => void>();

  private constructor(readonly process: ChildProcessWithoutNullStreams) {
    process.stdin.on('error', () => undefined);
    process.stdout.on('data', (chunk: Buffer) => this.read(chunk));
    process.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderr += chunk;
      this.look();
    });
    this.ended = new Promise((resolve) => {
      process.once('close', (code, signal) => {
        this.hasEnded = true;
        resolve({ code, signal });
        this.look();
      });
    });
  }

  static start(options: ChildOptions = {}): StdioChild {
    const { command, args, env } = commandOf(options);
    return new StdioChild(spawn(command, args, { env, stdio: 'pipe', ...LIFETIME }));
  }

  send(...lines: string[]): void {
    this.process.stdin.write(lines.join(''));
  }

  /** Resolves with what `look` finds, as soon as it finds something. */
  async until<T>(look: () => T | undefined): Promise<T> {
    for (let found = look(); ; found = look()) {
      if (found !== undefined) return found;
      if (this.hasEnded) throw new Error(`The server ended early: ${this.stderr}`);
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  /** The answer with this id. */
  answer(id: unknown): Promise<WireMessage> {
    return this.until(() => this.answersTo(id)[0]);
  }

  answersTo(id: unknown): WireMessage[] {
    return this.messages.filter((message) => (message as { id?: unknown }).id === id);
  }

  async text(id: unknown): Promise<unknown> {
    const { result } = await this.answer(id);
    return result['content']?.['0']?.['text'];
  }

  /** Resolves when stderr holds this. */
  async said(words: string): Promise<void> {
    await this.until(() => (this.stderr.includes(words) ? true : undefined));
  }

  /** Closes its stdin, and resolves when it has ended. */
  end(...lines: string[]): Promise<Exit> {
    this.process.stdin.end(lines.join(''));
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.hasEnded) this.process.kill('SIGKILL');
    await this.ended;
  }

  private read(chunk: Buffer): void {
    this.output.push(chunk);
    const lines = (this.rest + chunk.toString('latin1')).split('\n');
    this.rest = lines.pop() ?? '';
    for (const text of lines) {
      const message = JSON.parse(text) as WireMessage;
      // The official schemas know no integers of 64 bits.
      if (typeof message.id !== 'number' || Number.isSafeInteger(message.id)) checkWireMessage(message);
      this.messages.push(message);
    }
    this.look();
  }

  private look(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }
}
