import { Inject, Injectable, Logger } from '@nestjs/common';

import { InvalidComponentError } from '../errors/invalid-component.error.js';
import { DEFAULT_SERVER, MCP_SCOPE } from '../mcp.constants.js';
import { SchemaResolver } from '../schema/schema.resolver.js';
import { buildCompletion } from './builders/completion.builder.js';
import { buildPrompt } from './builders/prompt.builder.js';
import { buildResource } from './builders/resource.builder.js';
import { buildTool } from './builders/tool.builder.js';
import { ComponentExplorer, type FoundComponent } from './component.explorer.js';
import { ComponentRegistry } from './component.registry.js';
import { refuseOverlaps, refuseStrayCompletions } from './overlap.check.js';
import type { RegisteredComponent } from './registered-component.js';
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
      const component = await this.build(found);
      this.registry.add(component);
      this.warnAboutDescription(component);
    }
    refuseOverlaps(this.registry);
    refuseStrayCompletions(this.registry);
  }

  private build({ metadata, host }: FoundComponent): Promise<RegisteredComponent> | RegisteredComponent {
    switch (metadata.kind) {
      case 'tool':
        return buildTool(metadata.options, host, this.resolver);
      case 'resource':
        return buildResource(metadata.options, host, this.resolver);
      case 'prompt':
        return buildPrompt(metadata.options, host, this.resolver);
      case 'completion':
        return buildCompletion(metadata.options, host);
      default:
        return metadata satisfies never;
    }
  }

  /** Said once, by the first of the servers. */
  private warnAboutLoss({ servers, host }: FoundComponent, known: readonly string[]): void {
    if (known[0] !== this.scope.server || servers.some((server) => known.includes(server))) return;
    this.logger.warn(
      `${host.owner}: no server offers it, since it belongs to "default". Name one of ${known.join(', ')} in its option "server", in McpModule.forFeature() or by include.`,
    );
  }

  private warnAboutDescription(component: RegisteredComponent): void {
    if (component.kind === 'completion' || component.definition.description !== undefined) return;
    this.logger.warn(
      `${component.host.owner}: the ${component.kind} "${component.definition.name}" has no description, so models have to guess what it is for. Add one to its decorator.`,
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
