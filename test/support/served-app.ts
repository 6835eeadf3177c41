import type { INestApplication, Type, DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import type { AdapterCase } from './adapters.js';
import { LeakWatch } from './leak-watch.js';
import { mcpRequest, type PostedRequest, type RequestParts } from './mcp-request.js';
import { checkWireMessage, type WireMessage } from './wire-oracle.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON body, or of a stream the last message. */
  readonly message: WireMessage;
  /** Every message of a stream; of a JSON body the one. */
  readonly messages: readonly WireMessage[];
}

export interface ServeOptions {
  readonly path?: string;
  /** Runs between `create` and `listen`, as an app's `main.ts` would. */
  readonly configure?: (app: INestApplication) => void | Promise<void>;
  /** Key and certificate, for an adapter that does not bring its own. */
  readonly httpsOptions?: { readonly key: string; readonly cert: string };
  readonly scheme?: 'http' | 'https';
}

/** A Nest app on a real socket that closes itself: `await using app = await serve(...)`. */
export class ServedApp implements AsyncDisposable {
  constructor(
    readonly app: INestApplication,
    readonly origin: string,
    readonly path: string,
    private readonly watch?: LeakWatch,
  ) {}

  get url(): string {
    return `${this.origin}${this.path}`;
  }

  /** Sends one well-formed request; every message that comes back is checked against the official schemas. */
  async send(method: string, params?: Readonly<Record<string, unknown>>, parts?: RequestParts): Promise<Answer> {
    return this.post(mcpRequest(method, params, parts), method);
  }

  /** Sends exactly these headers and bytes. */
  async post({ headers, body }: PostedRequest, method?: string): Promise<Answer> {
    const response = await fetch(this.url, { method: 'POST', headers, body });
    return readAnswer(response, method);
  }

  async call(name: string, args?: Readonly<Record<string, unknown>>, parts?: RequestParts): Promise<Answer> {
    return this.send('tools/call', args === undefined ? { name } : { name, arguments: args }, parts);
  }

  /** Nothing may be left of what the tests did. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close();
    await this.watch?.closed();
  }
}

export async function serve(
  module: Type<unknown> | DynamicModule,
  adapter: Pick<AdapterCase, 'create'> & { readonly name?: string },
  { path = '/mcp', configure, httpsOptions, scheme = httpsOptions === undefined ? 'http' : 'https' }: ServeOptions = {},
): Promise<ServedApp> {
  const watch = new LeakWatch();
  const app = await NestFactory.create(module, adapter.create() as never, {
    logger: false,
    abortOnError: false,
    ...(httpsOptions === undefined ? {} : { httpsOptions }),
  });
  await configure?.(app);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  watch.started(app);
  return new ServedApp(app, `${scheme}://127.0.0.1:${port}`, path, watch);
}

export async function readAnswer(response: Response, method?: string): Promise<Answer> {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const parts = type.startsWith('text/event-stream')
    ? readEvents(text)
    : text === '' || !type.includes('json')
      ? []
      : [text];
  const messages = parts.map((part) => JSON.parse(part) as WireMessage);
  for (const message of messages) checkWireMessage(message, method);
  return {
    status: response.status,
    headers: response.headers,
    text,
    messages,
    message: messages.at(-1) as WireMessage,
  };
}

function readEvents(text: string): string[] {
  return text.split('\n\n').flatMap((event) => {
    const data = event.split('\n').find((line) => line.startsWith('data:'));
    return data === undefined ? [] : [data.slice('data:'.length).trim()];
  });
}
