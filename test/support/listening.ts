import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  SubscriptionsAcknowledgedNotificationSchema,
  SubscriptionsListenResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/core';
import { Injectable, Module, type DynamicModule, type Type } from '@nestjs/common';

import {
  getMcpToken,
  McpExecutor,
  McpModule,
  McpNotifier,
  Prompt,
  Resource,
  Tool,
  type McpModuleExtras,
  type McpModuleOptions,
} from '../../lib/index.js';
import type { AdapterCase } from './adapters.js';
import { mcpRequest, type RequestParts } from './mcp-request.js';
import { serve, ServedApp, type ServeOptions } from './served-app.js';
import { SseStream } from './sse-stream.js';
import type { WireMessage } from './wire-oracle.js';

export const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';
export const EVERYTHING = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true } as const;

/** Turns of the event loop that are tried before the first pause. */
const TURNS = 20;
const PAUSE_MS = 10;
/** Far more than are needed, far fewer than fit into the time of a test; a busy machine makes each of them longer. */
const PAUSES = 400;

const SCHEMAS: Readonly<Record<string, { parse(value: unknown): unknown }>> = {
  'notifications/subscriptions/acknowledged': SubscriptionsAcknowledgedNotificationSchema,
  'notifications/tools/list_changed': ToolListChangedNotificationSchema,
  'notifications/prompts/list_changed': PromptListChangedNotificationSchema,
  'notifications/resources/list_changed': ResourceListChangedNotificationSchema,
  'notifications/resources/updated': ResourceUpdatedNotificationSchema,
};

const WORDS: Readonly<Record<string, string>> = {
  'notifications/subscriptions/acknowledged': 'acknowledged',
  'notifications/tools/list_changed': 'tools',
  'notifications/prompts/list_changed': 'prompts',
  'notifications/resources/list_changed': 'resources',
};

/** Something of every kind that clients can listen for. */
@Injectable()
export class Town {
  @Tool({ description: 'Says hello' })
  greet(): string {
    return 'hello';
  }

  @Prompt({ description: 'Asks the way' })
  ask(): string {
    return 'Where is the station?';
  }

  @Resource({ uri: 'demo://a', description: 'A place' })
  place(): string {
    return 'a';
  }
}

export type TownOptions = Partial<McpModuleOptions & McpModuleExtras>;

/** The town as a whole app, a new module each time. */
export function townApp(
  options: TownOptions = {},
  { providers = [], imports = [] }: Pick<DynamicModule, 'providers' | 'imports'> = {},
): DynamicModule {
  @Module({})
  class TownApp {}
  return {
    module: TownApp,
    imports: [McpModule.forRoot({ name: 'town', version: '1.0.0', ...options }), ...imports],
    providers: [Town, ...providers],
  };
}

/** An app with clients that listen; in the end it waits until nothing is held any more, and fails when something stays. */
export class ListenedApp extends ServedApp {
  static async serve(
    module: Type<unknown> | DynamicModule,
    adapter: AdapterCase,
    options: ServeOptions = {},
  ): Promise<ListenedApp> {
    const { app, origin, path } = await serve(module, adapter, options);
    return new ListenedApp(app, origin, path);
  }

  get notifier(): McpNotifier {
    return this.app.get(getMcpToken(McpNotifier), { strict: false });
  }

  /** Subscriptions that hold a place. */
  get listeners(): number {
    return this.executors.reduce((sum, executor) => sum + (executor.stats().slots['subscriptions'] ?? 0), 0);
  }

  /** Asks to listen; resolves when the answer has begun. */
  open(notifications: unknown, { path, ...parts }: RequestParts & { path?: string } = {}): Promise<SseStream> {
    const method = 'subscriptions/listen';
    return SseStream.open(this.origin, mcpRequest(method, { notifications }, parts), {
      path: path ?? this.path,
      method,
    });
  }

  /** Resolves when the subscription is acknowledged. */
  async listen(notifications: unknown, parts: RequestParts & { path?: string } = {}): Promise<SseStream> {
    const stream = await this.open(notifications, parts);
    await stream.until(({ messages }) => messages.length > 0);
    const [first] = stream.messages;
    if (first?.method !== 'notifications/subscriptions/acknowledged') {
      throw new Error(`Instead of an acknowledgement came ${JSON.stringify(first)}`);
    }
    return stream;
  }

  /** Waits until so many subscriptions hold a place. */
  async holds(listeners: number): Promise<void> {
    await settled(() => (this.listeners === listeners ? undefined : `${this.listeners} subscriptions hold a place`));
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    try {
      await settled(() => this.unfinished());
    } finally {
      await super[Symbol.asyncDispose]();
    }
  }

  private get executors(): readonly McpExecutor[] {
    return this.app.get(McpExecutor, { strict: false, each: true });
  }

  private unfinished(): string | undefined {
    const all = this.executors.map((executor) => executor.stats());
    const idle = all.every(
      ({ running, queued, abandoned, owners, slots }) =>
        running + queued + abandoned + owners + Object.keys(slots).length === 0,
    );
    return idle ? undefined : `Something is still held: ${JSON.stringify(all)}`;
  }
}

/** Waits until there is no complaint; fails with the last one. */
export async function settled(complaint: () => string | undefined): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const text = complaint();
    if (text === undefined) return;
    if (turn > TURNS + PAUSES) throw new Error(text);
    await new Promise((resolve) => {
      if (turn < TURNS) setImmediate(resolve);
      else setTimeout(resolve, PAUSE_MS);
    });
  }
}

/** A message in a word: what was said, or the URI of the resource that it is about. */
export function wordOf({ method, params, error }: WireMessage): string {
  if (method === 'notifications/resources/updated') return params?.['uri'] as unknown as string;
  if (method !== undefined) return WORDS[method] ?? method;
  return error === undefined ? 'complete' : `error ${error.code}`;
}

/** All that came so far, in words. */
export const heard = ({ messages }: Pick<SseStream, 'messages'>): string[] => messages.map(wordOf);

/** The whole of a subscription in words, each message checked against the official schema of its own kind. */
export async function story(stream: SseStream): Promise<string[]> {
  const messages = await stream.whole();
  for (const { method, ...message } of messages) {
    if (method === undefined) {
      if (message.error === undefined) SubscriptionsListenResultSchema.parse(message.result);
    } else {
      const schema = SCHEMAS[method];
      if (schema === undefined) throw new Error(`${method} does not belong on this stream`);
      schema.parse({ method, ...message });
    }
  }
  return messages.map(wordOf);
}

/** The ids that the messages name as their subscription. */
export const idsOf = ({ messages }: Pick<SseStream, 'messages'>): unknown[] =>
  messages.map(
    ({ params, result }) => (params ?? (result as WireMessage['result'] | undefined))?.['_meta']?.[SUBSCRIPTION_ID],
  );
