import { execFileSync } from 'node:child_process';
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
      'McpServer',
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
      'AnswerOf',
      'AudioContent',
      'BusMessage',
      'CacheHint',
      'CancelReason',
      'Change',
      'ChangeBusListener',
      'ClientCapability',
      'ClientPeer',
      'CompletionOptions',
      'CompletionQuery',
      'ComponentEnhancers',
      'ComponentHandle',
      'ContentAnnotations',
      'ContentBlock',
      'ElicitAnswer',
      'ElicitParams',
      'ElicitUrlParams',
      'EmbeddedContent',
      'ExecutorOptions',
      'ExecutorStats',
      'FormContent',
      'HandlerFunction',
      'HandlerMethod',
      'Icon',
      'ImageContent',
      'Implementation',
      'InputRequired',
      'JsonSchema',
      'LogItem',
      'LogLevel',
      'McpAuthOptions',
      'McpCacheOptions',
      'McpCallClient',
      'McpCaller',
      'McpDurations',
      'McpHealth',
      'McpHttpOptions',
      'McpLimitOptions',
      'McpListenerOptions',
      'McpMetricsSnapshot',
      'McpModuleExtras',
      'McpModuleOptions',
      'McpOptionsFactory',
      'McpRequestCounts',
      'McpRequestStateOptions',
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
  './client': {
    values: [
      'ClientClosedError',
      'MalformedAnswerError',
      'McpClient',
      'McpRequestError',
      'McpSubscription',
      'ServerClosedError',
      'ServerNotReadyError',
    ],
    types: [
      'ChangeFilter',
      'McpCallOptions',
      'McpCompletion',
      'McpConnectOptions',
      'McpForm',
      'McpInputHandlers',
      'McpListenOptions',
      'McpLogMessage',
      'McpProgress',
      'McpPrompt',
      'McpResource',
      'McpServerDescription',
    ],
  },
  './host': {
    values: ['ServerClosedError', 'ServerNotReadyError'],
    types: [
      'McpAdmitted',
      'McpBodyReading',
      'McpExchange',
      'McpExchangeHead',
      'McpOutgoingMessage',
      'McpPrepared',
      'McpRefusal',
      'McpRejection',
      'McpRequestCaller',
    ],
  },
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

/** What an expression is in Node itself, which reads both formats as an application would; `load` takes a built file. */
function evaluated(expression: string): unknown {
  // By descriptor, since one of the files leads `process.stdout` elsewhere.
  const script = `const { writeSync } = require('node:fs');
const load = (file) => require(require('node:path').join(${JSON.stringify(ROOT)}, file));
writeSync(1, JSON.stringify(${expression}))`;
  const output = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return JSON.parse(output);
}

function namesAtRunTime(file: string): string[] {
  const names = evaluated(`Object.keys(load(${JSON.stringify(file)}))`) as string[];
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

describe.each(['esm', 'cjs'])('the entry points as %s', (format) => {
  const load = (path: string): string => `load('dist/${format}/${path}/index.js')`;

  it('share their classes', () => {
    expect(
      evaluated(`[
        ${load('testing')}.McpTestClient.prototype instanceof ${load('client')}.McpClient,
        ${load('client')}.ServerClosedError === ${load('host')}.ServerClosedError,
        ${load('client')}.McpRequestError.prototype instanceof ${load('.')}.McpError,
      ]`),
    ).toEqual([true, true, true]);
  });
});

describe('the reader of entry points', () => {
  it('distinguishes values from types, under their public names', () => {
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
