/**
 * Client for servers in the same process, as returned by `McpServer.connect()`, with its results and errors.
 *
 * @module nestjs-mcp/client
 */
export { McpClient } from './mcp.client.js';
export { McpSubscription } from './mcp.subscription.js';
export type { McpConnectOptions } from './connect-options.js';
export type { McpForm, McpInputHandlers } from './input.responder.js';
export type { McpCallOptions, McpListenOptions, McpLogMessage, McpProgress } from './client-options.js';
export type { McpCompletion, McpPrompt, McpResource, McpServerDescription } from './client-results.js';
export type { ChangeFilter } from '../model/change.js';
export {
  ClientClosedError,
  MalformedAnswerError,
  McpRequestError,
  ServerClosedError,
  ServerNotReadyError,
} from '../errors/client.errors.js';
