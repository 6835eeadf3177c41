import { Inject, Injectable, Optional } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';

import { auditServer } from './boot-audit/audit.js';
import { REPORTS_SERVER, type ServerReport, type ServerReporter } from './boot-audit/server-report.js';
import { DEFAULT_SERVER, MCP_SCOPE, MCP_SETTINGS } from './mcp.constants.js';
import type { McpSettings } from './options/settings.js';
import { ComponentRegistry } from './registry/component.registry.js';
import type { ServerScope } from './registry/server-scope.js';
import { endpointPaths } from './transports/http/endpoint-paths.js';
import type { HttpEndpoint } from './transports/http/http-options.interface.js';
import { HttpTransport } from './transports/http/http.transport.js';

const KINDS = ['tool', 'resource', 'template', 'prompt'] as const;

/** What a person should know when a server has started. */
@Injectable()
export class BootReport implements ServerReporter {
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
    const { name, server, paths, revisions, counts } = this[REPORTS_SERVER]();
    const label = server === DEFAULT_SERVER ? '' : ` (server "${server}")`;
    const place = paths.length === 0 ? 'without an HTTP endpoint' : `at POST ${paths.join(', ')}`;
    const held = Object.entries(counts).map(([list, count]) => `${count} ${list}`);
    return `${name}${label} speaks MCP ${revisions.join(', ')} ${place}: ${held.join(', ')}`;
  }

  /** One sentence for each risk, with its cure. */
  warnings(): readonly string[] {
    return this[REPORTS_SERVER]().findings.map(({ text }) => text);
  }

  [REPORTS_SERVER](): ServerReport {
    const http = this.endpoint();
    const { settings, modules, config } = this;
    const components = KINDS.flatMap((kind) => this.registry.listed(kind));
    const count = (kind: (typeof KINDS)[number]): number => this.registry.listed(kind).length;
    return {
      name: settings.profile.identity.name,
      server: this.scope.server,
      paths: http === false ? [] : endpointPaths(http.path, config),
      revisions: ['2026-07-28'],
      counts: {
        tools: count('tool'),
        resources: count('resource'),
        templates: count('template'),
        prompts: count('prompt'),
      },
      findings: auditServer({ settings, isReachable: http !== false, components, modules, config }),
    };
  }

  private endpoint(): HttpEndpoint {
    return this.transport === undefined ? false : this.settings.http;
  }
}
