import { Subject } from 'rxjs';

import type { ClientCodec, ClientIdentity, ClientRequest, ServerMessage } from '../dialects/client-codec.js';
import { ClientClosedError, MalformedAnswerError } from '../errors/client.errors.js';
import type { ChangeFilter } from '../model/change.js';
import type { PromptDefinition, ResourceDefinition, TemplateDefinition, ToolDefinition } from '../model/component.js';
import type { ToolResult } from '../model/content.js';
import type { Fields } from '../model/fields.js';
import type { Link } from '../wire/link.js';
import { readCompletion, readDescription, readPrompt, readResource, readTool } from './answer.reader.js';
import type { McpCallOptions, McpListenOptions } from './client-options.js';
import type { McpCompletion, McpPrompt, McpResource, McpServerDescription } from './client-results.js';
import type { InputResponder } from './input.responder.js';
import { McpSubscription } from './mcp.subscription.js';
import { awaitResult, type MessageListener } from './pending.request.js';
import { takeRounds } from './round.trips.js';

/**
 * Calls one MCP server. An error of the server rejects with an {@link McpRequestError}; a failed tool is a result with
 * `isError`.
 *
 * @publicApi
 */
export class McpClient implements AsyncDisposable {
  private readonly closing = new Subject<never>();
  private lastId = 0;

  /** @internal */
  constructor(
    private readonly link: Link,
    private readonly codec: ClientCodec,
    private readonly identity: ClientIdentity,
    private readonly responder?: InputResponder,
  ) {}

  /** The protocol revision in use. */
  get protocolVersion(): string {
    return this.codec.revision;
  }

  /** Returns name, version, capabilities and instructions of the server. */
  async discover(options?: McpCallOptions): Promise<McpServerDescription> {
    const result = await this.request('server/discover', {}, options);
    return readDescription(result, this.codec.serverInfo(result));
  }

  /** Lists all tools that this caller sees, from all pages. */
  listTools(options?: McpCallOptions): Promise<readonly ToolDefinition[]> {
    return this.listAll('tools/list', 'tools', options);
  }

  listResources(options?: McpCallOptions): Promise<readonly ResourceDefinition[]> {
    return this.listAll('resources/list', 'resources', options);
  }

  listResourceTemplates(options?: McpCallOptions): Promise<readonly TemplateDefinition[]> {
    return this.listAll('resources/templates/list', 'resourceTemplates', options);
  }

  listPrompts(options?: McpCallOptions): Promise<readonly PromptDefinition[]> {
    return this.listAll('prompts/list', 'prompts', options);
  }

  /** Runs a tool; a failure that the model may read is a result with `isError`. */
  async callTool(name: string, args: object = {}, options?: McpCallOptions): Promise<ToolResult> {
    return readTool(await this.requestWithInput('tools/call', { name, arguments: args }, options));
  }

  async readResource(uri: string, options?: McpCallOptions): Promise<McpResource> {
    return readResource(await this.requestWithInput('resources/read', { uri }, options));
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: McpCallOptions,
  ): Promise<McpPrompt> {
    return readPrompt(await this.requestWithInput('prompts/get', { name, arguments: args }, options));
  }

  /** Completes an argument of a prompt, or of a resource template named by its URI. */
  async complete(
    target: { readonly prompt: string } | { readonly resource: string },
    argument: { readonly name: string; readonly value: string },
    /** Arguments that are already chosen. */
    chosen: Readonly<Record<string, string>> = {},
    options?: McpCallOptions,
  ): Promise<McpCompletion> {
    const ref =
      'prompt' in target ? { type: 'ref/prompt', name: target.prompt } : { type: 'ref/resource', uri: target.resource };
    const context = Object.keys(chosen).length === 0 ? {} : { context: { arguments: chosen } };
    return readCompletion(await this.request('completion/complete', { ref, argument, ...context }, options));
  }

  /** Subscribes to changes; resolves when the server has acknowledged the subscription. */
  listen(options: McpListenOptions): Promise<McpSubscription> {
    const { tools = false, prompts = false, resources = false, uris = [], signal } = options;
    const filter: ChangeFilter = { tools, prompts, resources, uris };
    const stop = new AbortController();
    const signals = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
    const { method, params } = this.codec.listen(filter);
    return new Promise((resolve, reject) => {
      let subscription: McpSubscription | undefined;
      const onMessage: MessageListener = (message, taken) => {
        if (message.kind === 'change') {
          subscription?.deliver(message.change, taken);
          return;
        }
        if (message.kind === 'acknowledged') {
          subscription ??= new McpSubscription(message.filter, () => stop.abort());
          resolve(subscription);
        }
        taken();
      };
      this.exchange(method, params, { signal: signals }, onMessage).then(
        () => subscription?.end(),
        (error: unknown) => {
          if (subscription === undefined) reject(error);
          else subscription.end(stop.signal.aborted ? undefined : error);
        },
      );
    });
  }

  /** Sends any request, and returns its result unchanged, including one that asks for input. */
  request(method: string, params: Fields = {}, options: McpCallOptions = {}): Promise<Fields> {
    const { onProgress, onLog, meta } = options;
    const onMessage: MessageListener = (message, taken) => {
      notify(message, { onProgress, onLog });
      taken();
    };
    return this.exchange(method, meta === undefined ? params : { ...params, _meta: meta }, options, onMessage);
  }

  /** Cancels running requests and ends subscriptions; may be called repeatedly. */
  async close(): Promise<void> {
    this.closing.error(new ClientClosedError());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private exchange(
    method: string,
    params: Fields,
    { signal, onProgress, onLog, logLevel = 'info' }: McpCallOptions,
    listen: MessageListener,
  ): Promise<Fields> {
    this.lastId += 1;
    const request: ClientRequest = {
      id: this.lastId,
      method,
      params,
      client: this.identity,
      progress: onProgress !== undefined,
      ...(onLog === undefined ? {} : { logLevel }),
    };
    const { codec, closing } = this;
    const messages = this.link.send(codec.encode(request));
    return awaitResult({ codec, messages, closed: closing, signal, listen });
  }

  private requestWithInput(method: string, params: Fields, options: McpCallOptions = {}): Promise<Fields> {
    const ask = (more: Fields): Promise<Fields> => this.request(method, { ...params, ...more }, options);
    return takeRounds(ask, this.responder, options.signal);
  }

  private async listAll<T>(method: string, member: string, options?: McpCallOptions): Promise<readonly T[]> {
    return (await collectPages((cursor) => this.request(method, cursor, options), member)) as readonly T[];
  }
}

function notify(message: ServerMessage, { onProgress, onLog }: Pick<McpCallOptions, 'onProgress' | 'onLog'>): void {
  if (message.kind === 'progress') {
    const { kind: _kind, ...progress } = message;
    onProgress?.(progress);
  } else if (message.kind === 'log') {
    const { kind: _kind, ...logged } = message;
    onLog?.(logged);
  }
}

/** Maximum number of pages of a list; a server with more is considered faulty. */
const MAX_PAGES = 1_000;

/** Follows the cursors of a list to its end. */
async function collectPages(ask: (cursor: Fields) => Promise<Fields>, member: string): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: Fields = {};
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { [member]: listed, nextCursor } = await ask(cursor);
    if (!Array.isArray(listed)) throw new MalformedAnswerError(`a page has no list of ${member}`);
    for (const item of listed as readonly unknown[]) items.push(item);
    if (nextCursor === undefined) return items;
    if (typeof nextCursor !== 'string' || seen.has(nextCursor)) {
      throw new MalformedAnswerError('a page has an invalid or repeated nextCursor');
    }
    seen.add(nextCursor);
    cursor = { cursor: nextCursor };
  }
  throw new MalformedAnswerError(`a list has more than ${MAX_PAGES} pages`);
}
