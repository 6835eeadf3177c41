import { Inject, Injectable, Optional } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';

import { DEFAULT_SERVER, MCP_SCOPE, MCP_SETTINGS } from './mcp.constants.js';
import type { McpSettings } from './options/settings.js';
import type { ComponentKind } from './model/component.js';
import { ComponentRegistry } from './registry/component.registry.js';
import type { ListedComponent } from './registry/registered-component.js';
import type { ServerScope } from './registry/server-scope.js';
import { endpointPaths } from './transports/http/endpoint-paths.js';
import type { HttpEndpoint } from './transports/http/http-options.interface.js';
import { HttpTransport } from './transports/http/http.transport.js';

const LABELS: readonly (readonly [ComponentKind, string])[] = [
  ['tool', 'tools'],
  ['resource', 'resources'],
  ['template', 'templates'],
  ['prompt', 'prompts'],
];

const CACHED_KINDS = { tools: 'tool', resources: 'resource', templates: 'template', prompts: 'prompt' } as const;

const guardsOf = (place: object): readonly unknown[] =>
  (Reflect.getMetadata('__guards__', place) ?? []) as readonly unknown[];

/** What a person should know when a server has started. */
@Injectable()
export class BootReport {
  constructor(
    @Inject(MCP_SETTINGS) private readonly settings: McpSettings,
    @Inject(MCP_SCOPE) private readonly scope: ServerScope,
    private readonly registry: ComponentRegistry,
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
    @Optional() @Inject(HttpTransport) private readonly transport: HttpTransport | undefined,
  ) {}

  /** Endpoint, revisions and counts, in one line. */
  summary(): string {
    const { profile } = this.settings;
    const http = this.endpoint();
    const counts = LABELS.map(([kind, label]) => `${this.registry.listed(kind).length} ${label}`).join(', ');
    const server = this.scope.server === DEFAULT_SERVER ? '' : ` (server "${this.scope.server}")`;
    const place =
      http === false ? 'without an HTTP endpoint' : `at POST ${endpointPaths(http.path, this.config).join(', ')}`;
    return `${profile.identity.name}${server} speaks MCP 2026-07-28 ${place}: ${counts}`;
  }

  /** One sentence for each risk, with its cure. */
  warnings(): readonly string[] {
    return [this.shutdownRisk(), this.guardRisk(), ...this.cacheRisks()].filter((warning) => warning !== undefined);
  }

  private endpoint(): HttpEndpoint {
    return this.transport === undefined ? false : this.settings.http;
  }

  private shutdownRisk(): string | undefined {
    if (this.endpoint() === false || process.listenerCount('SIGTERM') > 0) return undefined;
    return 'Shutdown hooks are off, so a SIGTERM cuts running calls. Call app.enableShutdownHooks() before listen().';
  }

  /** An app that guards its other routes rarely means to leave this one open. */
  private guardRisk(): string | undefined {
    const http = this.endpoint();
    if (http === false || http.guards.length > 0) return undefined;
    if (this.config.getGlobalGuards().length + this.config.getGlobalRequestGuards().length > 0) return undefined;
    const guarded = this.guardedController();
    if (guarded === undefined) return undefined;
    return `${guarded} is guarded, but the MCP endpoint is not. Pass http: { guards: [...] } to McpModule.`;
  }

  private guardedController(): string | undefined {
    for (const module of this.modules.values()) {
      if (module.providers.has(MCP_SCOPE)) continue;
      for (const { metatype } of module.controllers.values()) {
        if (metatype !== null && typeof metatype === 'function' && guardsOf(metatype).length > 0) return metatype.name;
      }
    }
    return undefined;
  }

  private cacheRisks(): readonly (string | undefined)[] {
    return Object.entries(CACHED_KINDS).map(([subject, kind]) => {
      if (this.settings.profile.cache[subject as keyof typeof CACHED_KINDS]?.scope !== 'public') return undefined;
      const guarded = this.registry.listed(kind).find(isGuarded);
      return guarded === undefined
        ? undefined
        : `cache.${subject}.scope is "public", but ${guarded.host.owner} is guarded, so shared caches may show it to anyone. Make it "private".`;
    });
  }
}

function isGuarded({ host }: ListedComponent): boolean {
  if (host.enhancers?.isGuarded === true) return true;
  const method = (host.prototype as Record<string, object>)[host.method];
  return guardsOf(host.prototype.constructor).length + (method === undefined ? 0 : guardsOf(method).length) > 0;
}
