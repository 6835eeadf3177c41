/**
 * What callers of a server in the same process import: the client of `McpServer.connect()`, its results and its errors.
 *
 * @module nestjs-mcp/client
 */
export { McpClient } from './mcp.client.js';
export { McpSubscription } from './mcp.subscription.js';
export type { McpConnectOptions } from './connect-options.js';
export type { McpForm, McpInputHandlers } from './input-handlers.js';
export type { McpCallOptions, McpListenOptions, McpLogMessage, McpProgress } from './client-options.js';
export type { McpCompletion, McpPrompt, McpResource, McpServerDescription } from './client-results.js';
export type { ChangeFilter } from '../model/change.js';
export { ClientClosedError } from '../errors/calls/client-closed.error.js';
export { MalformedAnswerError } from '../errors/calls/malformed-answer.error.js';
export { McpRequestError } from '../errors/calls/mcp-request.error.js';
export { ServerClosedError } from '../errors/calls/server-closed.error.js';
export { ServerNotReadyError } from '../errors/calls/server-not-ready.error.js';
