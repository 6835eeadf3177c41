import {
  CallToolResultSchema,
  CompleteResultSchema,
  DiscoverResultSchema,
  GetPromptResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCNotificationSchema,
  JSONRPCResultResponseSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/core';

interface Schema {
  parse(value: unknown): unknown;
}

const RESULTS: Readonly<Record<string, Schema>> = {
  'server/discover': DiscoverResultSchema,
  'tools/list': ListToolsResultSchema,
  'tools/call': CallToolResultSchema,
  'resources/list': ListResourcesResultSchema,
  'resources/templates/list': ListResourceTemplatesResultSchema,
  'resources/read': ReadResourceResultSchema,
  'prompts/list': ListPromptsResultSchema,
  'prompts/get': GetPromptResultSchema,
  'completion/complete': CompleteResultSchema,
};

const CACHEABLE = new Set([
  ...['server/discover', 'tools/list', 'prompts/list'],
  ...['resources/list', 'resources/templates/list', 'resources/read'],
]);

/** JSON of unknown shape that a test walks into. */
export interface Tree {
  readonly [key: string]: Tree;
}

export interface WireMessage {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Tree;
  /** Present in every message a test looks into; a missing one fails there with a TypeError. */
  readonly result: Tree;
  readonly error: { readonly code: number; readonly message: string; readonly data?: Tree };
}

/** Checks a message from the server against the official schemas; throws with the schema's own words. */
export function checkWireMessage(message: WireMessage, method?: string): void {
  if (message.method !== undefined) {
    JSONRPCNotificationSchema.parse(message);
    return;
  }
  if (Object.hasOwn(message, 'error')) {
    JSONRPCErrorResponseSchema.parse(message);
    if (message.id === null) throw new Error('an error must leave an unreadable id out, not send null');
    return;
  }
  JSONRPCResultResponseSchema.parse(message);
  checkResult(message.result, method);
}

function checkResult(result: Readonly<Record<string, unknown>>, method: string | undefined): void {
  if (result['resultType'] !== 'complete' && result['resultType'] !== 'input_required') {
    throw new Error(`resultType is ${String(result['resultType'])}`);
  }
  const meta = result['_meta'] as Record<string, unknown> | undefined;
  if (meta?.['io.modelcontextprotocol/serverInfo'] === undefined) throw new Error('serverInfo is missing');
  if (method === undefined || result['resultType'] !== 'complete') return;
  RESULTS[method]?.parse(result);
  const hinted = 'ttlMs' in result && 'cacheScope' in result;
  if (hinted !== CACHEABLE.has(method)) throw new Error(`${method} ${hinted ? 'must not' : 'must'} carry cache hints`);
}
