import { Inject, Injectable, Logger } from '@nestjs/common';

import { InvalidComponentError } from '../errors/invalid-component.error.js';
import { DEFAULT_SERVER, MCP_SCOPE } from '../mcp.constants.js';
import { SchemaResolver } from '../schema/schema.resolver.js';
import { buildComponent, missingDescription } from './builders/component.builder.js';
import { ComponentExplorer, type FoundComponent } from './component.explorer.js';
import { ComponentRegistry } from './component.registry.js';
import { refuseOverlaps, refuseStrayCompletions } from './overlap.check.js';
import type { ServerScope } from './server-scope.js';

/** Fills the registry once, when the module starts. */
@Injectable()
export class ComponentRegistrar {
  private readonly logger = new Logger(ComponentRegistrar.name);

  constructor(
    private readonly explorer: ComponentExplorer,
    private readonly registry: ComponentRegistry,
    private readonly resolver: SchemaResolver,
    @Inject(MCP_SCOPE) private readonly scope: ServerScope,
  ) {}

  async register(): Promise<void> {
    const servers = this.explorer.scopes().map((scope) => scope.server);
    for (const found of this.explorer.explore()) {
      refuseUnknownServers(found, servers);
      this.warnAboutLoss(found, servers);
      if (!found.servers.includes(this.scope.server)) continue;
      const component = await buildComponent(found.metadata, found.host, this.resolver);
      this.registry.add(component);
      const warning = missingDescription(component, 'decorator');
      if (warning !== undefined) this.logger.warn(warning);
    }
    refuseOverlaps(this.registry);
    refuseStrayCompletions(this.registry);
    this.registry.finishDiscovery();
  }

  /** Warns only in the first server, so that the warning appears once. */
  private warnAboutLoss({ servers, host }: FoundComponent, known: readonly string[]): void {
    if (known[0] !== this.scope.server || servers.some((server) => known.includes(server))) return;
    this.logger.warn(
      `${host.owner}: no server offers it, since it belongs to "default". Name one of ${known.join(', ')} in its option "server" or in McpModule.forFeature(), or add its module to the option "include" of a server.`,
    );
  }
}

function refuseUnknownServers({ servers, host, metadata }: FoundComponent, known: readonly string[]): void {
  const { server: declared } = metadata.options;
  if (servers.length === 0 || !servers.every((server) => typeof server === 'string' && server !== '')) {
    throw new InvalidComponentError(
      host.owner,
      'the option "server" must be the name of a server, or a list of names.',
    );
  }
  const unknown = servers.find(
    (server) => !known.includes(server) && (declared !== undefined || server !== DEFAULT_SERVER),
  );
  if (unknown !== undefined) {
    throw new InvalidComponentError(
      host.owner,
      `it belongs to the server "${unknown}", which does not exist. Servers here: ${known.join(', ')}.`,
    );
  }
}
