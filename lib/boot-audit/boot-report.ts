import { Inject, Injectable, Optional } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';

import { auditServer } from './audit.js';
import { listPatterns } from './author-patterns.js';
import { isInspected, REPORTS_SERVER, type ServerReport, type ServerReporter } from './server-report.js';
import { DEFAULT_SERVER, MCP_SCOPE, MCP_SETTINGS } from '../mcp.constants.js';
import { ServerProfile } from '../model/server-profile.js';
import type { McpSettings } from '../options/settings.js';
import { SPOKEN_REVISIONS } from '../dialects/supported-revisions.js';
import { ComponentRegistry } from '../registry/component.registry.js';
import type { ServerScope } from '../registry/server-scope.js';
import { HttpTransport } from '../transports/http/http.transport.js';
import { ListenerTransport } from '../transports/listener/listener.transport.js';

/** The state of a started server, for people. */
@Injectable()
export class BootReport implements ServerReporter {
  constructor(
    @Inject(MCP_SETTINGS) private readonly settings: McpSettings,
    @Inject(MCP_SCOPE) private readonly scope: ServerScope,
    private readonly registry: ComponentRegistry,
    private readonly profile: ServerProfile,
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
    @Optional() @Inject(HttpTransport) private readonly transport: HttpTransport | undefined,
    @Optional() @Inject(ListenerTransport) private readonly listener: ListenerTransport | undefined,
  ) {}

  [REPORTS_SERVER](): ServerReport {
    const { transport, settings, registry, profile, modules, config } = this;
    const held = {
      tools: registry.listed('tool'),
      resources: registry.listed('resource'),
      templates: registry.listed('template'),
      prompts: registry.listed('prompt'),
    };
    const components = Object.values(held).flat();
    return {
      name: settings.profile.identity.name,
      server: this.scope.server,
      paths: transport?.paths ?? [],
      urls: this.urls(),
      revisions: SPOKEN_REVISIONS,
      counts: {
        tools: held.tools.length,
        resources: held.resources.length,
        templates: held.templates.length,
        prompts: held.prompts.length,
      },
      findings: auditServer({
        settings,
        isReachable: transport !== undefined,
        components,
        sentScope: (subject) => profile.cacheHint(subject).scope,
        modules,
        config,
      }),
      patterns: isInspected() ? listPatterns(components) : [],
    };
  }

  private urls(): readonly string[] {
    const { listener } = this;
    const url = isInspected() ? listener?.plannedUrl : listener?.url;
    return url === undefined ? [] : [url];
  }
}

/** Endpoint, revisions and counts, in one line. */
export function summaryOf({ name, server, paths, urls, revisions, counts }: ServerReport): string {
  const label = server === DEFAULT_SERVER ? '' : ` (server "${server}")`;
  const places = [...paths, ...urls];
  const place = places.length === 0 ? 'without an HTTP endpoint' : `at POST ${places.join(', ')}`;
  const held = Object.entries(counts).map(([list, count]) => `${count} ${list}`);
  return `${name}${label} speaks MCP ${revisions.join(', ')} ${place}: ${held.join(', ')}`;
}
