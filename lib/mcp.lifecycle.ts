import {
  Inject,
  Injectable,
  Logger,
  Optional,
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
import { HttpTransport } from './transports/http/http.transport.js';
import { InProcessTransport } from './transports/in-process/in-process.transport.js';
import { NodeTransport } from './transports/listener/node.transport.js';
import { WebTransport } from './transports/web/web.transport.js';
import { ListenerTransport } from './transports/listener/listener.transport.js';

/** Owns the order in which a server starts and stops. */
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
    private readonly inProcess: InProcessTransport,
    private readonly web: WebTransport,
    private readonly node: NodeTransport,
    @Optional() @Inject(HttpTransport) private readonly http: HttpTransport | undefined,
    @Optional() @Inject(ListenerTransport) private readonly listener: ListenerTransport | undefined,
  ) {}

  async onModuleInit(): Promise<void> {
    refuseServerClashes(this.modules);
    await this.http?.start();
    await this.listener?.prepare();
    await this.registrar.register();
  }

  /** Global enhancers are complete only now. */
  async onApplicationBootstrap(): Promise<void> {
    this.runner.prepare();
    this.inProcess.open();
    this.announcer.start();
    if (!isInspected()) await this.listener?.start();
    const report = this.reporter[REPORTS_SERVER]();
    this.logger.log(summaryOf(report));
    for (const { text } of report.findings) this.logger.warn(text);
  }

  /** Streams end with their last word, then what runs gets its time; harmless to repeat. */
  async beforeApplicationShutdown(): Promise<void> {
    this.hub.complete();
    const { drainTimeoutMs, execution } = this.settings;
    const { http, listener, inProcess, web, node } = this;
    await Promise.all([
      http?.stop(drainTimeoutMs),
      listener?.stop(),
      inProcess.stop(drainTimeoutMs),
      web.stop(drainTimeoutMs),
      node.stop(drainTimeoutMs),
    ]);
    const { executor, owned } = execution;
    if (owned) executor.close();
  }
}
