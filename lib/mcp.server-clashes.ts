import type { ModulesContainer } from '@nestjs/core';

import { InvalidOptionsError } from './errors/invalid-options.error.js';
import { MCP_SCOPE, MCP_SETTINGS } from './mcp.constants.js';
import type { McpSettings } from './options/settings.js';
import type { ServerScope } from './registry/server-scope.js';

interface Server {
  readonly name: string;
  readonly include: readonly unknown[];
  readonly path: string | undefined;
}

/**
 * Refuses servers of one app that share a path or a name, and modules that no server could include.
 *
 * @throws InvalidOptionsError naming the option and the cure.
 */
export function refuseServerClashes(modules: ModulesContainer): void {
  const servers = [...modules.values()].flatMap((module) => {
    const scope = module.providers.get(MCP_SCOPE)?.instance as ServerScope | undefined;
    const settings = module.providers.get(MCP_SETTINGS)?.instance as McpSettings | undefined;
    if (scope === undefined || settings === undefined) return [];
    const path = settings.http === false ? undefined : settings.http.path;
    return [{ name: scope.server, include: scope.include, path }];
  });
  for (const [index, server] of servers.entries()) {
    for (const other of servers.slice(index + 1)) refuseClash(server, other);
    refuseUnknownModules(server, modules);
  }
}

function refuseClash(server: Server, other: Server): void {
  if (server.name === other.name) {
    throw new InvalidOptionsError(
      'server',
      `two servers of this app are called "${server.name}". Give each McpModule.forRoot() a name of its own: server: '...'.`,
    );
  }
  // The router of Express ignores the case of paths.
  if (server.path !== undefined && server.path.toLowerCase() === other.path?.toLowerCase()) {
    throw new InvalidOptionsError(
      'path',
      `the servers "${server.name}" and "${other.name}" both answer at ${server.path}. Give one of them another path.`,
    );
  }
}

function refuseUnknownModules({ name, include }: Server, modules: ModulesContainer): void {
  const present = new Set<unknown>([...modules.values()].map((module) => module.metatype));
  const stranger = include.find((module) => !present.has(module));
  if (!include.some((module) => module === stranger)) return;
  const label = typeof stranger === 'function' ? stranger.name : String(stranger);
  throw new InvalidOptionsError(
    'include',
    `the server "${name}" includes ${label}, which is not a module of this app. Import it, or leave it out.`,
  );
}
