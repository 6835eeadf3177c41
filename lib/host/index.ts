/**
 * What a host of its own imports, which hands messages or requests to `McpServer` by itself.
 *
 * @module nestjs-mcp/host
 */
export type { McpRejection, McpRequestCaller } from '../mcp.server.js';
export type { Admitted as McpAdmitted, Prepared as McpPrepared } from '../server/prepared.js';
export type {
  BodyReading as McpBodyReading,
  Exchange as McpExchange,
  ExchangeHead as McpExchangeHead,
  OutgoingMessage as McpOutgoingMessage,
  Refusal as McpRefusal,
} from '../wire/exchange.js';
export { ServerClosedError, ServerNotReadyError } from '../errors/client.errors.js';
