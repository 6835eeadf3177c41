import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { isInspected, REPORTS_SERVER } from './boot-audit/server-report.js';
import { BootReport, summaryOf } from './boot-audit/boot-report.js';
import { ChangeAnnouncer } from './mcp.change-announcer.js';
import { MCP_SETTINGS } from './mcp.constants.js';
import { refuseServerClashes } from './mcp.server-clashes.js';
import { CallRunner } from './dispatch/operations/call.runner.js';
import type { McpSettings } from './options/settings.js';
import { ComponentRegistrar } from './registry/component.registrar.js';
import { SubscriptionHub } from './subscriptions/subscription.hub.js';
import { TRANSPORTS } from './mcp.transport-providers.js';
import type { Transport } from './transports/transport.js';

/** Defines the order in which the parts of a server start and stop. */
@Injectable()
export class McpLifecycle implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('McpModule');

  constructor(
    private readonly registrar: ComponentRegistrar,
    private readonly runner: CallRunner,
    private readonly reporter: BootReport,
    private readonly modules: ModulesContainer,
    private readonly announcer: ChangeAnnouncer,
    private readonly hub: SubscriptionHub,
    @Inject(MCP_SETTINGS) private readonly settings: McpSettings,
    @Inject(TRANSPORTS) private readonly transports: readonly Transport[],
  ) {}

  async onModuleInit(): Promise<void> {
    refuseServerClashes(this.modules);
    for (const transport of this.transports) await transport.prepare?.();
    await this.registrar.register();
  }

  /** Global enhancers are complete only now. */
  async onApplicationBootstrap(): Promise<void> {
    this.runner.prepare();
    this.announcer.start();
    if (!isInspected()) for (const transport of this.transports) await transport.start?.();
    const report = this.reporter[REPORTS_SERVER]();
    this.logger.log(summaryOf(report));
    for (const { text } of report.findings) this.logger.warn(text);
  }

  /** Ends streams with a final message, then gives running calls time to finish; repeated calls do nothing. */
  async beforeApplicationShutdown(): Promise<void> {
    this.hub.complete();
    const { drainTimeoutMs, execution } = this.settings;
    await Promise.all(this.transports.map((transport) => transport.stop(drainTimeoutMs)));
    const { executor, owned } = execution;
    if (owned) executor.close();
  }
}
