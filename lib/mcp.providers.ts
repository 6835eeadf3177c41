import { Logger, type Provider } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';

import { accessProviders } from './mcp.access-providers.js';
import { AdmissionPipeline } from './admission/admission.pipeline.js';
import { DialectSelector, CurrentDialect } from './dialects/supported-revisions.js';
import { Dialect } from './dialects/dialect.js';
import { RegistryProfile } from './dispatch/registry.profile.js';
import { ListViews } from './dispatch/access/list.views.js';
import { CallRunner } from './dispatch/operations/call.runner.js';
import { Rechecks } from './dispatch/operations/rechecks.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { FaultMapper } from './dispatch/fault.mapper.js';
import { GuardedHandlerFactory } from './dispatch/handlers/guarded-handler.factory.js';
import { HostScope } from './dispatch/handlers/host.scope.js';
import { CallToolOperation } from './dispatch/operations/call-tool.operation.js';
import { CompleteOperation } from './dispatch/operations/complete.operation.js';
import { DiscoverOperation } from './dispatch/operations/discover.operation.js';
import { GetPromptOperation } from './dispatch/operations/get-prompt.operation.js';
import { ListComponentsOperation } from './dispatch/operations/list-components.operation.js';
import { ListenOperation } from './dispatch/operations/listen.operation.js';
import { ReadResourceOperation } from './dispatch/operations/read-resource.operation.js';
import { SubscriptionPort } from './dispatch/operations/subscription.port.js';
import { StateKeeper } from './dispatch/rounds/state.keeper.js';
import { FormCompiler } from './questions/form.compiler.js';
import { KEYS_VARIABLE } from './request-state/key.reader.js';
import { warn } from './errors/log-line.js';
import { systemClock } from './execution/clock.js';
import { Executor } from './execution/executor.js';
import { MCP_OPTIONS, MCP_SCOPE, MCP_SETTINGS } from './mcp.constants.js';
import { ServerProfile } from './model/server-profile.js';
import { readSettings, type McpSettings } from './options/settings.js';
import { McpHealthIndicator } from './observability/mcp-health.indicator.js';
import { McpMetrics } from './observability/mcp-metrics.js';
import { RequestLog, RequestWatch, RequestMeter } from './observability/request.watch.js';
import { ComponentMetadataAccessor, ComponentExplorer } from './registry/component.explorer.js';
import { ComponentRegistrar } from './registry/component.registrar.js';
import { ComponentRegistry } from './registry/component.registry.js';
import { McpRegistry } from './registry/runtime/mcp-registry.js';
import { RuntimeRegistry } from './registry/runtime/runtime.registry.js';
import type { ServerScope } from './registry/server-scope.js';
import { SchemaResolver } from './schema/schema.resolver.js';
import { ExchangeHandler } from './server/exchange.handler.js';
import { RequestObserver } from './server/request-observer.js';
import { BusNotifier } from './subscriptions/bus-notifier.js';
import { ChangeBus, InMemoryChangeBus } from './subscriptions/change-bus.js';
import { McpNotifier } from './subscriptions/mcp-notifier.js';
import { SubscriptionHub } from './subscriptions/subscription.hub.js';
import { McpServer } from './mcp.server.js';
import { transportProviders } from './mcp.transport-providers.js';

const settings: Provider = { provide: MCP_SETTINGS, useFactory: readSettings, inject: [MCP_OPTIONS] };

const registry: readonly Provider[] = [
  MetadataScanner,
  ComponentMetadataAccessor,
  SchemaResolver,
  ComponentExplorer,
  {
    provide: ComponentRegistry,
    useFactory: ({ pageSize }: McpSettings) => new ComponentRegistry(pageSize),
    inject: [MCP_SETTINGS],
  },
  ComponentRegistrar,
  { provide: McpRegistry, useClass: RuntimeRegistry },
];

const dialects: readonly Provider[] = [
  {
    provide: Dialect,
    useFactory: (profile: ServerProfile, { limits }: McpSettings) => new CurrentDialect(profile, limits.maxResultBytes),
    inject: [ServerProfile, MCP_SETTINGS],
  },
  DialectSelector,
];

const admission: readonly Provider[] = [
  {
    provide: AdmissionPipeline,
    useFactory: (slices: McpSettings) => new AdmissionPipeline(slices.admission),
    inject: [MCP_SETTINGS],
  },
];

/** Limits running and queued work. */
const execution: readonly Provider[] = [
  { provide: Executor, useFactory: (slices: McpSettings) => slices.execution.executor, inject: [MCP_SETTINGS] },
];

/** Carries changes from the notifier to every client that subscribed to them. */
const subscriptions: readonly Provider[] = [
  {
    provide: ChangeBus,
    useFactory: (slices: McpSettings) => slices.subscriptions?.bus ?? new InMemoryChangeBus(),
    inject: [MCP_SETTINGS],
  },
  {
    provide: SubscriptionHub,
    useFactory: ({ subscriptions: options }: McpSettings, { server }: ServerScope, bus: ChangeBus) =>
      new SubscriptionHub(
        { server, maxPendingChanges: options?.maxPendingChanges ?? 1, overflow: options?.overflow ?? 'drop-oldest' },
        bus,
      ),
    inject: [MCP_SETTINGS, MCP_SCOPE, ChangeBus],
  },
  { provide: SubscriptionPort, useExisting: SubscriptionHub },
  {
    provide: McpNotifier,
    useFactory: ({ server }: ServerScope, bus: ChangeBus) => new BusNotifier(server, bus),
    inject: [MCP_SCOPE, ChangeBus],
  },
];

const rechecks: Provider = {
  provide: Rechecks,
  useFactory: (slices: McpSettings) => new Rechecks({ recheckMs: slices.subscriptions?.recheckMs, clock: systemClock }),
  inject: [MCP_SETTINGS],
};

/** Observes how requests end: counts them and logs failures. */
const observability: readonly Provider[] = [
  {
    provide: RequestMeter,
    useFactory: (executor: Executor, hub: SubscriptionHub) => new RequestMeter(executor, hub),
    inject: [Executor, SubscriptionHub],
  },
  { provide: McpMetrics, useExisting: RequestMeter },
  {
    provide: RequestObserver,
    useFactory: (meter: RequestMeter, components: ComponentRegistry) =>
      new RequestWatch(meter, new RequestLog(components)),
    inject: [RequestMeter, ComponentRegistry],
  },
  McpHealthIndicator,
];

const server: Provider = {
  provide: ExchangeHandler,
  useFactory: createExchangeHandler,
  inject: [AdmissionPipeline, DialectSelector, Dispatcher, Executor, RequestObserver, MCP_SETTINGS],
};

function createExchangeHandler(
  pipeline: AdmissionPipeline,
  selector: DialectSelector,
  dispatcher: Dispatcher,
  executor: Executor,
  ...[observer, { limits }]: [RequestObserver, McpSettings]
): ExchangeHandler {
  return new ExchangeHandler(pipeline, selector, dispatcher, executor, observer, limits);
}

function createStateKeeper({ profile, requestState }: McpSettings, { server }: ServerScope): StateKeeper {
  const { sealer, principalOf, isEphemeral } = requestState;
  const onFirstUse = (): void =>
    warn(
      new Logger('McpRequestState'),
      `A call has asked its client, and the state of such calls is sealed with a key of this process alone: a client whose answer reaches another instance, or this one after a restart, is refused. Pass requestState: { keys: [...] } to McpModule, or set ${KEYS_VARIABLE}.`,
    );
  const { name } = profile.identity;
  return new StateKeeper({ sealer, name, server, principalOf, ...(isEphemeral ? { onFirstUse } : {}) });
}

const dispatch: readonly Provider[] = [
  {
    provide: ServerProfile,
    useFactory: ({ profile }: McpSettings, components: ComponentRegistry, views: ListViews) =>
      new RegistryProfile(profile, components, views),
    inject: [MCP_SETTINGS, ComponentRegistry, ListViews],
  },
  HostScope,
  GuardedHandlerFactory,
  {
    provide: FormCompiler,
    useFactory: (resolver: SchemaResolver) => new FormCompiler(resolver),
    inject: [SchemaResolver],
  },
  {
    provide: StateKeeper,
    useFactory: createStateKeeper,
    inject: [MCP_SETTINGS, MCP_SCOPE],
  },
  FaultMapper,
  {
    provide: CallRunner,
    useFactory: createCallRunner,
    inject: [MCP_SETTINGS, ComponentRegistry, GuardedHandlerFactory, MCP_SCOPE, StateKeeper, FormCompiler, FaultMapper],
  },
  DiscoverOperation,
  ListComponentsOperation,
  CallToolOperation,
  ReadResourceOperation,
  GetPromptOperation,
  CompleteOperation,
  rechecks,
  ListenOperation,
  Dispatcher,
];

function createCallRunner(
  { access, limits }: McpSettings,
  components: ComponentRegistry,
  factory: GuardedHandlerFactory,
  { server }: ServerScope,
  ...[keeper, forms, faults]: [StateKeeper, FormCompiler, FaultMapper]
): CallRunner {
  const environment = { server, timeoutMs: limits.requestTimeoutMs, rounds: { keeper, forms, faults } };
  return new CallRunner(components, factory, environment, access);
}

/** All providers of one server, in the order of their dependencies. */
export const mcpProviders: readonly Provider[] = [
  settings,
  ...registry,
  ...dialects,
  ...admission,
  ...execution,
  ...subscriptions,
  ...accessProviders,
  ...dispatch,
  ...observability,
  server,
  ...transportProviders,
  McpServer,
];
