/**
 * What tests import to check what clients get.
 *
 * @module nestjs-mcp/testing
 */
export { McpTestClient, type McpTestOptions } from './mcp-test-client.js';
export { mcpMatchers, type McpMatchers } from './matchers.js';
export type { ExpectedRefusal } from './refusal.matcher.js';
