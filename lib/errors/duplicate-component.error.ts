import { McpError } from './mcp.error.js';

/**
 * Two components of one server claim the same name or address.
 *
 * @publicApi
 */
export class DuplicateComponentError extends McpError {
  constructor(kind: string, name: string, owners: readonly [string, string]) {
    const [first, second] = owners;
    const cure =
      first === second
        ? 'Its class is provided more than once: provide it in one module and export it from there.'
        : 'Rename one of them, or give them different servers.';
    super('MCP_DUPLICATE_COMPONENT', `Both ${first} and ${second} declare the ${kind} "${name}". ${cure}`);
  }
}
