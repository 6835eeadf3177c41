import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { exportedNames, strangeStatements, type PublicNames } from './public-names.js';
import { readSource, ROOT, source } from './source-tree.js';

/** Everything users may import, by entry point. A new name is a promise: add it here on purpose. */
const PUBLIC_NAMES: Readonly<Record<string, PublicNames>> = {
  '.': {
    values: [
      'Args',
      'Auth',
      'CacheDecision',
      'CallCancelledError',
      'ChangeBus',
      'ClientClosedError',
      'Completion',
      'ConcurrencyInterceptor',
      'ConcurrencyOptions',
      'Ctx',
      'Describe',
      'DuplicateComponentError',
      'InMemoryChangeBus',
      'InMemoryRateLimitStore',
      'InMemoryStateUseStore',
      'InjectMcp',
      'InvalidArgumentsError',
      'InvalidComponentError',
      'InvalidOptionsError',
      'InvalidQuestionError',
      'MalformedAnswerError',
      'McpClient',
      'McpContext',
      'McpError',
      'McpExecutionContext',
      'McpExecutor',
      'McpHeader',
      'McpHealthIndicator',
      'McpMetrics',
      'McpModule',
      'McpNotifier',
      'McpPolicy',
      'McpProtocolError',
      'McpRegistry',
      'McpRequestError',
      'McpServer',
      'McpSubscription',
      'NotForListing',
      'OpenObject',
      'Prompt',
      'Question',
      'RateLimitInterceptor',
      'RateLimitOptions',
      'RateLimitStore',
      'RequireNothing',
      'RequireRoles',
      'RequireScopes',
      'Resource',
      'ServerClosedError',
      'ServerNotReadyError',
      'Signal',
      'StateUseStore',
      'TooManyCallsError',
      'Tool',
      'UnsafePathError',
      'assistant',
      'audio',
      'blob',
      'contents',
      'elicit',
      'elicitUrl',
      'embedded',
      'getMcpToken',
      'image',
      'inputRequired',
      'log',
      'progress',
      'resourceLink',
      'roots',
      'safeJoin',
      'sample',
      'text',
      'toolError',
      'user',
    ],
    types: [
      'AllRoles',
      'AnswerOf',
      'AudioContent',
      'BusMessage',
      'CacheHint',
      'CancelReason',
      'Change',
      'ChangeBusListener',
      'ChangeFilter',
      'ClientCapability',
      'ClientPeer',
      'CompletionOptions',
      'CompletionQuery',
      'ComponentEnhancers',
      'ComponentHandle',
      'ComponentOptions',
      'ContentAnnotations',
      'ContentBlock',
      'DtoClass',
      'ElicitAnswer',
      'ElicitParams',
      'ElicitUrlParams',
      'EmbeddedContent',
      'ExecutorOptions',
      'ExecutorStats',
      'FormContent',
      'FormValue',
      'HandlerArgs',
      'HandlerFunction',
      'HandlerMethod',
      'Icon',
      'ImageContent',
      'Implementation',
      'InMemoryRateLimitOptions',
      'InputRequired',
      'InputRequiredOptions',
      'JsonSchema',
      'LogItem',
      'LogLevel',
      'McpAdmitted',
      'McpAuthOptions',
      'McpBodyReading',
      'McpCacheOptions',
      'McpCallClient',
      'McpCallOptions',
      'McpCaller',
      'McpCompletion',
      'McpConnectOptions',
      'McpDurations',
      'McpExchange',
      'McpExchangeHead',
      'McpForm',
      'McpHealth',
      'McpHttpOptions',
      'McpInjectable',
      'McpInputHandlers',
      'McpLimitOptions',
      'McpListenOptions',
      'McpListenerOptions',
      'McpLogMessage',
      'McpMetricsSnapshot',
      'McpModuleExtras',
      'McpModuleOptions',
      'McpOptionsFactory',
      'McpOutgoingMessage',
      'McpPrepared',
      'McpProgress',
      'McpPrompt',
      'McpRefusal',
      'McpRejection',
      'McpRequestCaller',
      'McpRequestCounts',
      'McpRequestStateOptions',
      'McpResource',
      'McpServerDescription',
      'McpSubscriptionOptions',
      'McpTrace',
      'ModelPreferences',
      'PolicyComponent',
      'PolicyDecision',
      'PolicyQuestion',
      'ProgressItem',
      'PromptArgument',
      'PromptDefinition',
      'PromptMessage',
      'PromptOptions',
      'ResourceContents',
      'ResourceDefinition',
      'ResourceLinkContent',
      'ResourceOptions',
      'ResourcePart',
      'Root',
      'SampleAnswer',
      'SampleBlock',
      'SampleMessage',
      'SampleParams',
      'SampleTool',
      'SchemaSource',
      'StandardSource',
      'StateKey',
      'StateMode',
      'StateSealerOptions',
      'SubscriptionStats',
      'TemplateDefinition',
      'TextContent',
      'ToolAnnotations',
      'ToolArgs',
      'ToolDefinition',
      'ToolOptions',
      'ToolResult',
      'ToolResultContent',
      'ToolUseContent',
      'UrlAnswer',
    ],
  },
  './testing': {
    values: ['McpTestClient', 'mcpMatchers'],
    types: ['ExpectedRefusal', 'McpMatchers', 'McpTestOptions'],
  },
  './stdio': { values: ['serveStdio'], types: ['StdioOptions'] },
};

interface EntryPoint {
  readonly subpath: string;
  readonly source: string;
  readonly built: readonly string[];
}

type ExportMap = Record<string, string | Record<string, { readonly default: string }>>;

const manifest: { exports: ExportMap } = JSON.parse(readSource('package.json').text);
const entryPoints = Object.entries(manifest.exports).flatMap(([subpath, conditions]): EntryPoint[] => {
  if (typeof conditions === 'string') return [];
  const built = [...new Set(Object.values(conditions).map((target) => target.default))];
  const [first = ''] = built;
  return [{ subpath, built, source: first.replace('./dist/esm/', 'lib/').replace(/\.js$/, '.ts') }];
});

/** Loaded by Node itself, which reads both formats as an application would. */
function namesAtRunTime(file: string): string[] {
  // By descriptor, since one of them leads `process.stdout` elsewhere.
  const load = `const { writeSync } = require('node:fs');
writeSync(1, JSON.stringify(Object.keys(require(${JSON.stringify(join(ROOT, file))}))))`;
  const output = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', load], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const names: string[] = JSON.parse(output);
  return names.filter((name) => name !== '__esModule' && name !== 'module.exports').sort();
}

describe('entry points', () => {
  it('are those with a list of names', () => {
    expect(entryPoints.map(({ subpath }) => subpath)).toEqual(Object.keys(PUBLIC_NAMES));
  });

  it.each(entryPoints)('$subpath exports the listed names', ({ subpath, source: path }) => {
    expect(exportedNames(readSource(path))).toEqual(PUBLIC_NAMES[subpath]);
  });

  it.each(entryPoints)('$subpath holds named re-exports and nothing else', ({ source: path }) => {
    expect(strangeStatements(readSource(path))).toEqual([]);
  });

  it.each(entryPoints)('$subpath is built as written, in both formats', ({ subpath, built }) => {
    for (const file of built) {
      expect({ file, names: namesAtRunTime(file) }).toEqual({ file, names: PUBLIC_NAMES[subpath]?.values });
    }
  });
});

describe('the reader of entry points', () => {
  it('tells values from types, under the name that users see', () => {
    const entry = source(
      'lib/index.ts',
      `export { a, type B, c as d } from './x.js'; export type { E } from './y.js';`,
    );
    expect(exportedNames(entry)).toEqual({ values: ['a', 'd'], types: ['B', 'E'] });
    expect(strangeStatements(entry)).toEqual([]);
  });

  it.each([`export * from './x.js';`, `export * as x from './x.js';`, 'export const a = 1;', `import './x.js';`])(
    'objects to %s',
    (text) => {
      expect(strangeStatements(source('lib/index.ts', text))).toHaveLength(1);
    },
  );
});
