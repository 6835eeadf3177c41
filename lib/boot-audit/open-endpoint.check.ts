import { MCP_SCOPE } from '../mcp.constants.js';
import { isGuardedHost } from '../registry/hosts/placed-guards.js';
import type { AuditCheck, AuditedServer } from './audit-check.js';
import { findGuardedPlace, hasEndpointGuards } from './guarded-place.js';

/** An app that guards its other routes rarely means to leave this one open. */
export const openEndpointCheck: AuditCheck = {
  name: 'open-endpoint',
  inspect: (server) => {
    if (!server.isReachable || hasEndpointGuards(server) || server.components.some(({ host }) => isGuardedHost(host)))
      return [];
    const place = findGuardedRoute(server);
    return place === undefined
      ? []
      : [`${place} is guarded, but the MCP endpoint is not. Pass http: { guards: [...] } to McpModule.`];
  },
};

function findGuardedRoute({ modules }: AuditedServer): string | undefined {
  for (const module of modules.values()) {
    if (module.providers.has(MCP_SCOPE)) continue;
    for (const { metatype } of module.controllers.values()) {
      const place = typeof metatype === 'function' ? findGuardedPlace(metatype) : undefined;
      if (place !== undefined) return place;
    }
  }
  return undefined;
}
