/**
 * What applications import to serve MCP.
 *
 * @module nestjs-mcp
 */
export { McpModule } from './mcp.module.js';
export { McpServer } from './mcp.server.js';
export type {
  McpAuthOptions,
  McpCacheOptions,
  McpLimitOptions,
  McpModuleExtras,
  McpModuleOptions,
  McpOptionsFactory,
  McpRequestStateOptions,
  McpSubscriptionOptions,
} from './options/mcp-options.interface.js';
export type { McpHttpOptions } from './options/mcp-http-options.interface.js';
export type { McpListenerOptions } from './options/mcp-listener-options.interface.js';

export { Tool } from './decorators/tool.decorator.js';
export { Resource } from './decorators/resource.decorator.js';
export { Prompt } from './decorators/prompt.decorator.js';
export { Completion, type CompletionQuery } from './decorators/completion.decorator.js';
export { Describe, McpHeader, OpenObject } from './decorators/describe.decorator.js';
export { Args, Auth, Ctx, Signal } from './decorators/params.decorator.js';
export {
  CacheDecision,
  NotForListing,
  RequireNothing,
  RequireRoles,
  RequireScopes,
} from './decorators/access.decorator.js';
export type {
  CompletionOptions,
  PromptOptions,
  ResourceOptions,
  ToolOptions,
} from './decorators/component-metadata.js';
export type { SchemaSource, StandardSource, ToolArgs } from './schema/schema-source.js';

export { McpContext, type McpCallClient } from './decorators/mcp-context.js';
export type { McpTrace } from './decorators/trace.reader.js';
export { elicit, type ElicitParams, type FormContent, elicitUrl } from './questions/elicit.question.js';
export { sample } from './questions/sample.question.js';
export { roots } from './questions/roots.question.js';
export { inputRequired, type InputRequired } from './questions/input-required.js';
export { Question, type AnswerOf } from './questions/question.js';
export type { ClientCapability } from './questions/client-capabilities.js';
export type {
  ElicitAnswer,
  ElicitUrlParams,
  UrlAnswer,
  Root,
  ModelPreferences,
  SampleAnswer,
  SampleBlock,
  SampleMessage,
  SampleParams,
  SampleTool,
  ToolResultContent,
  ToolUseContent,
} from './model/questions.js';
export { StateUseStore } from './request-state/state-use.store.js';
export { InMemoryStateUseStore } from './request-state/in-memory-state-use.store.js';
export type { StateKey } from './request-state/state-sealer-options.interface.js';
export { McpExecutionContext } from './dispatch/mcp-execution-context.js';
export {
  McpPolicy,
  type PolicyComponent,
  type PolicyDecision,
  type PolicyQuestion,
} from './dispatch/access/mcp-policy.js';
export { log, progress, type LogItem, type LogLevel, type ProgressItem } from './model/event.js';
export {
  assistant,
  audio,
  blob,
  contents,
  embedded,
  image,
  resourceLink,
  text,
  toolError,
  user,
} from './model/content.builders.js';
export type {
  AudioContent,
  ContentAnnotations,
  ContentBlock,
  EmbeddedContent,
  ImageContent,
  PromptMessage,
  ResourceContents,
  ResourceLinkContent,
  ResourcePart,
  TextContent,
  ToolResult,
} from './model/content.js';
export type {
  PromptArgument,
  PromptDefinition,
  ResourceDefinition,
  TemplateDefinition,
  ToolAnnotations,
  ToolDefinition,
} from './model/component.js';
export type { Caller as McpCaller, ClientPeer, Icon, Implementation } from './model/peer.js';
export type { JsonSchema } from './model/json-schema.js';
export type { CacheHint } from './model/outcome.js';

export {
  McpRegistry,
  type HandlerFunction,
  type HandlerMethod,
  type ComponentHandle,
} from './registry/runtime/mcp-registry.js';
export type { ComponentEnhancers } from './enhancers/component-enhancers.js';
export { getMcpToken, InjectMcp } from './mcp.inject.js';

export { McpNotifier } from './subscriptions/mcp-notifier.js';
export { ChangeBus, type BusMessage, type ChangeBusListener, InMemoryChangeBus } from './subscriptions/change-bus.js';
export type { Change } from './model/change.js';
export { Executor as McpExecutor } from './execution/executor.js';
export type { ExecutorStats } from './execution/executor-stats.interface.js';
export type { ExecutorOptions } from './execution/executor-options.interface.js';

export { ConcurrencyInterceptor, ConcurrencyOptions } from './interceptors/concurrency.interceptor.js';
export { RateLimitInterceptor } from './interceptors/rate-limit.interceptor.js';
export { RateLimitOptions } from './interceptors/rate-limit-options.js';
export { RateLimitStore } from './interceptors/rate-limit.store.js';
export { InMemoryRateLimitStore } from './interceptors/in-memory-rate-limit.store.js';
export { TooManyCallsError } from './interceptors/too-many-calls.error.js';

export {
  McpMetrics,
  type McpMetricsSnapshot,
  type McpRequestCounts,
  type McpDurations,
} from './observability/mcp-metrics.js';
export { McpHealthIndicator, type McpHealth } from './observability/mcp-health.indicator.js';
export type { SubscriptionStats } from './subscriptions/subscription.hub.js';

export { safeJoin } from './uri/safe-join.js';

export { CallCancelledError, type CancelReason } from './errors/call-cancelled.error.js';
export { DuplicateComponentError } from './errors/duplicate-component.error.js';
export { InvalidArgumentsError } from './errors/invalid-arguments.error.js';
export { InvalidComponentError } from './errors/invalid-component.error.js';
export { InvalidOptionsError } from './errors/invalid-options.error.js';
export { InvalidQuestionError } from './errors/invalid-question.error.js';
export { McpError } from './errors/mcp.error.js';
export { McpProtocolError } from './errors/mcp-protocol.error.js';
export { UnsafePathError } from './errors/unsafe-path.error.js';
