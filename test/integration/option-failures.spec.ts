import { describe, expect, it } from '@jest/globals';
import { Module, type DynamicModule, type Type } from '@nestjs/common';

import { McpExecutor, McpModule, type McpModuleExtras, type McpModuleOptions } from '../../lib/index.js';
import { refusal, start } from '../support/started.js';

type Given = Partial<McpModuleOptions & McpModuleExtras>;

const IDENTITY = { name: 'options', version: '1.0.0' };

function importing(...imports: DynamicModule[]): Type<unknown> {
  @Module({ imports })
  class ImportingModule {}
  return ImportingModule;
}

/** As a caller without a compiler may write them. */
const rooted = (options: object): DynamicModule => McpModule.forRoot({ ...IDENTITY, ...options });

const INVALID: readonly (readonly [option: string, given: object, words: string])[] = [
  ['name', { name: '' }, 'not empty'],
  ['name', { name: undefined }, 'not empty'],
  ['name', { name: 5 }, 'string'],
  ['version', { version: '' }, 'not empty'],
  ['version', { version: 1 }, 'string'],
  ['title', { title: 5 }, 'must be a string'],
  ['description', { description: [] }, 'must be a string'],
  ['websiteUrl', { websiteUrl: {} }, 'must be a string'],
  ['instructions', { instructions: 5 }, 'must be a string'],
  ['icons', { icons: 'icon.png' }, 'must be a list'],
  ['icons[1].src', { icons: [{ src: 'https://a/b.png' }, { src: 'b.png' }] }, 'https: or data:'],
  ['icons[0].src', { icons: [{ src: 'http://a/b.png' }] }, 'Serve the picture by https:'],
  ['icons[0]', { icons: [null] }, 'must be an object'],
  ['icons[0].sizes', { icons: [{ src: 'https://a/b.png', sizes: '48x48' }] }, '"48x48", or "any"'],
  ['icons[0].theme', { icons: [{ src: 'https://a/b.png', theme: 'auto' }] }, '"light" or "dark"'],
  ['icons[0].size', { icons: [{ src: 'https://a/b.png', size: '1x1' }] }, 'option does not exist'],
  ['pathh', { pathh: '/mcp' }, 'option does not exist. Valid options: name'],
  ['path', { path: '' }, 'plain path'],
  ['path', { path: '/mcp?x=1' }, 'plain path'],
  ['path', { path: '/:tenant/mcp' }, 'plain path'],
  ['path', { path: '/mcp/*' }, 'plain path'],
  ['path', { path: 5 }, 'plain path'],
  ['protocols', { protocols: [] }, 'at least one'],
  ['protocols', { protocols: '2026-07-28' }, 'list'],
  [
    'protocols',
    { protocols: ['2026-07-28', '2025-06-18'] },
    '"2025-06-18" is not supported. Supported revisions: 2026-07-28',
  ],
  ['http', { http: true }, 'must be an object'],
  ['http', { http: 'off' }, 'must be an object'],
  ['http', { http: null }, 'must be an object'],
  ['http.gards', { http: { gards: [] } }, 'option does not exist. Valid options: guards'],
  ['http.guards', { http: { guards: {} } }, 'must be a list'],
  ['http.guards', { http: { guards: [undefined] } }, 'circular imports'],
  ['http.interceptors', { http: { interceptors: [null] } }, 'circular imports'],
  ['http.filters', { http: { filters: ['x'] } }, 'classes or instances'],
  ['http.allowedOrigins', { http: { allowedOrigins: 'a.example' } }, 'list'],
  ['http.allowedOrigins', { http: { allowedOrigins: ['https://a.example/path'] } }, ''],
  ['http.allowedHosts', { http: { allowedHosts: [''] } }, ''],
  ['http.maxBodyBytes', { http: { maxBodyBytes: 0 } }, 'whole number from 1'],
  ['http.bodyTimeoutMs', { http: { bodyTimeoutMs: 1.5 } }, 'whole number from 1'],
  ['http.readTimeoutMs', { http: { readTimeoutMs: -1 } }, 'whole number from 1'],
  ['http.drainTimeoutMs', { http: { drainTimeoutMs: 1 } }, 'option does not exist'],
  ['limits.drainTimeoutMs', { limits: { drainTimeoutMs: 2 ** 31 } }, 'to 2147483647'],
  ['http.chunkedBodies', { http: { chunkedBodies: 'reject' } }, '"accept" or "refuse"'],
  ['http.keepAliveMs', { http: { keepAliveMs: 0 } }, 'whole number from 1'],
  ['http.writeTimeoutMs', { http: { writeTimeoutMs: 'long' } }, 'whole number from 1'],
  ['http.disconnectProbeMs', { http: { disconnectProbeMs: 2 ** 31 } }, 'to 2147483647'],
  ['limits.maxSubscriptions', { limits: { maxSubscriptions: 0 } }, 'whole number from 1'],
  ['listener', { listener: true }, 'must be an object'],
  ['listener', { listener: null }, 'must be an object'],
  ['listener.prot', { listener: { port: 0, prot: 1 } }, 'option does not exist. Valid options: port'],
  ['listener.port', { listener: {} }, 'whole number from 0 to 65535'],
  ['listener.port', { listener: { port: 65_536 } }, 'whole number from 0 to 65535'],
  ['listener.port', { listener: { port: '3000' } }, 'whole number from 0 to 65535'],
  ['listener.host', { listener: { port: 0, host: '' } }, 'without a port'],
  ['listener.host', { listener: { port: 0, host: 'http://localhost' } }, 'without a port'],
  ['listener.host', { listener: { port: 0, host: '[::1]' } }, 'such as "127.0.0.1" or "::1"'],
  ['listener.path', { listener: { port: 0, path: '/mcp?x' } }, 'plain path'],
  ['listener.https', { listener: { port: 0, https: true } }, 'must be an object'],
  ['listener.https', { listener: { port: 0, https: { key: 'k' } } }, '"key" and "cert", or "pfx"'],
  ['listener.guards', { listener: { port: 0, guards: [undefined] } }, 'circular imports'],
  ['listener.allowedOrigins', { listener: { port: 0, allowedOrigins: ['a/b'] } }, 'neither a host'],
  ['listener.allowedHosts', { listener: { port: 0, allowedHosts: 'a' } }, 'list'],
  ['listener.maxConnections', { listener: { port: 0, maxConnections: 0 } }, 'whole number from 1'],
  ['listener.maxConnectionsPerAddress', { listener: { port: 0, maxConnectionsPerAddress: 0 } }, 'whole number from 1'],
  ['listener.maxRequestsPerAddress', { listener: { port: 0, maxRequestsPerAddress: 1.5 } }, 'whole number from 1'],
  ['listener.maxHeadBytes', { listener: { port: 0, maxHeadBytes: 10 } }, 'whole number from 1024'],
  ['listener.headTimeoutMs', { listener: { port: 0, headTimeoutMs: 0 } }, 'whole number from 1'],
  ['listener.idleTimeoutMs', { listener: { port: 0, idleTimeoutMs: -1 } }, 'whole number from 1'],
  ['listener.bodyTimeoutMs', { listener: { port: 0, bodyTimeoutMs: 2 ** 31 } }, 'to 2147483647'],
  ['listener.chunkedBodies', { listener: { port: 0, chunkedBodies: 'no' } }, '"accept" or "refuse"'],
  ['listener.maxSubscriptions', { listener: { port: 0, maxSubscriptions: 1 } }, 'option does not exist'],
  ['http.maxPendingBodyBytes', { http: { maxPendingBodyBytes: 0 } }, 'whole number from 1'],
  ['http.maxPendingBodyBytes', { http: { maxPendingBodyBytes: 3_999_999 } }, 'at least 4000000, twice the largest'],
  [
    'listener.maxPendingBodyBytes',
    { http: false, listener: { port: 0, maxBodyBytes: 10, maxPendingBodyBytes: 19 } },
    'at least 20',
  ],
  [
    'http.maxPendingBodyBytes',
    { http: { maxBodyBytes: 10, maxPendingBodyBytes: 20 }, listener: { port: 0 } },
    'at least 4000000',
  ],
  [
    'listener.maxPendingBodyBytes',
    { http: { maxPendingBodyBytes: 10_000_000 }, listener: { port: 0, maxPendingBodyBytes: 10_000_000 } },
    'all bodies of a server are counted together. Give one of them',
  ],
  ['limits', { limits: 5 }, 'must be an object'],
  ['limits.maxConcurency', { limits: { maxConcurency: 1 } }, 'option does not exist. Valid options: maxConcurrency'],
  ['limits.maxConcurrency', { limits: { maxConcurrency: 0 } }, 'whole number from 1'],
  ['limits.maxQueue', { limits: { maxQueue: -1 } }, 'whole number from 0'],
  ['limits.maxPerOwner', { limits: { maxPerOwner: 1.5 } }, 'whole number from 1'],
  ['limits.maxQueuedPerOwner', { limits: { maxQueuedPerOwner: '5' } }, 'whole number from 0'],
  ['limits.abandonAfterMs', { limits: { abandonAfterMs: null } }, 'whole number from 0'],
  ['limits.maxSubscriptionsPerOwner', { limits: { maxSubscriptionsPerOwner: 0 } }, 'whole number from 1'],
  ['limits.maxAbandoned', { limits: { maxAbandoned: Number.POSITIVE_INFINITY } }, 'whole number from 1'],
  ['limits.requestTimeoutMs', { limits: { requestTimeoutMs: 0 } }, 'whole number from 1'],
  ['limits.maxResultBytes', { limits: { maxResultBytes: 0 } }, 'whole number from 1'],
  ['limits.maxResultBytes', { limits: { maxResultBytes: '1mb' } }, 'whole number from 1'],
  ['executor', { executor: { maxConcurrency: 5 } }, 'must be an instance'],
  ['executor', { executor: null }, 'must be an instance'],
  [
    'limits.maxQueue',
    { executor: new McpExecutor(), limits: { maxQueue: 5 } },
    'Pass it there: new McpExecutor({ maxQueue })',
  ],
  ['subscriptions', { subscriptions: true }, 'must be an object'],
  ['subscriptions.queue', { subscriptions: { queue: 5 } }, 'option does not exist. Valid options: maxPendingChanges'],
  ['subscriptions.maxPendingChanges', { subscriptions: { maxPendingChanges: 0 } }, 'whole number from 1'],
  ['subscriptions.overflow', { subscriptions: { overflow: 'drop' } }, '"drop-oldest" or "drop-newest"'],
  ['subscriptions.bus', { subscriptions: { bus: {} } }, 'extends ChangeBus'],
  ['subscriptions.recheckMs', { subscriptions: { recheckMs: 0 } }, 'whole number from 1 to 2147483647'],
  ['subscriptions.recheckMs', { subscriptions: { recheckMs: Infinity } }, 'whole number from 1 to 2147483647'],
  ['subscriptions.recheckMs', { subscriptions: { recheckMs: '60' } }, 'whole number from 1 to 2147483647'],
  ['auth.cancellationScopeProperty', { auth: { cancellationScopeProperty: '' } }, 'name of a property'],
  ['auth', { auth: 'user' }, 'must be an object'],
  ['auth.propery', { auth: { propery: 'user' } }, 'option does not exist. Valid options: property'],
  ['auth.property', { auth: { property: '' } }, 'name of a property'],
  ['pageSize', { pageSize: 0 }, 'whole number from 1'],
  ['pageSize', { pageSize: '10' }, 'whole number from 1'],
  ['cache', { cache: null }, 'must be an object'],
  ['cache.tool', { cache: { tool: {} } }, 'option does not exist. Valid options: discover'],
  ['cache.tools', { cache: { tools: 5 } }, 'must be an object'],
  ['cache.tools', { cache: { tools: null } }, 'must be an object'],
  ['cache.tools.ttl', { cache: { tools: { ttl: 5 } } }, 'option does not exist. Valid options: ttlMs, scope'],
  ['cache.tools.ttlMs', { cache: { tools: { ttlMs: -1 } } }, 'milliseconds'],
  ['cache.read.scope', { cache: { read: { scope: 'shared' } } }, '"public" or "private"'],
];

describe('options that do not add up', () => {
  it.each(INVALID)('are named: %s in %j', async (option, given, words) => {
    const error = await refusal(importing(rooted(given)));
    expect(error).toHaveProperty('code', 'MCP_INVALID_OPTIONS');
    expect(error.message).toContain(`Option "${option}" of McpModule: `);
    expect(error.message).toContain(words);
  });

  it.each([
    ['server', { server: '' }, 'not empty'],
    ['server', { server: 5 }, 'string'],
    ['include', { include: {} }, 'must be a list'],
    ['include', { include: [undefined] }, 'circular imports'],
  ])('are named at once: %s in %j', (option, given, words) => {
    expect(() => rooted(given)).toThrow(`Option "${option}" of McpModule: `);
    expect(() => rooted(given)).toThrow(words);
  });

  it.each([
    ['forFeature.server_', { server_: 'a', providers: [] }, 'Valid options: server, providers, imports'],
    ['forFeature.providers', { providers: {} }, 'must be a list'],
    ['forFeature.providers', { providers: [undefined] }, 'circular imports'],
  ])('of a feature are named too: %s', (option, given, words) => {
    const feature = (): DynamicModule => McpModule.forFeature(given as Parameters<typeof McpModule.forFeature>[0]);
    expect(feature).toThrow(`Option "${option}" of McpModule: `);
    expect(feature).toThrow(words);
  });

  it('are named when a factory makes them', async () => {
    const made = McpModule.forRootAsync({ useFactory: () => ({ ...IDENTITY, pageSize: -1 }) });
    expect((await refusal(importing(made))).message).toContain('Option "pageSize" of McpModule');
    const nothing = McpModule.forRootAsync({ useFactory: () => undefined as unknown as McpModuleOptions });
    expect((await refusal(importing(nothing))).message).toContain('Call forRoot({ name, version })');
  });

  it.each(['server', 'include'])('say where %s belongs when a factory makes it', async (option) => {
    const made = McpModule.forRootAsync({ useFactory: () => ({ ...IDENTITY, [option]: 'x' }) });
    const { message } = await refusal(importing(made));
    expect(message).toContain(`Option "${option}" of McpModule: `);
    expect(message).toContain('Pass it to forRootAsync() itself');
  });
});

class Stranger {}

describe('servers of one app', () => {
  it.each([
    ['two without a name', [{}, { path: '/other' }], 'Option "server"', 'two servers of this app are called "default"'],
    ['two of one name', [{ server: 'a' }, { server: 'a', path: '/other' }], 'Option "server"', 'called "a"'],
    ['two at one path', [{}, { server: 'b' }], 'Option "path"', '"default" and "b" both answer at /mcp'],
    [
      'two at one path, written differently',
      [{ path: 'a/mcp' }, { server: 'b', path: '/A/mcp' }],
      'Option "path"',
      'another path',
    ],
    [
      'one that includes a module of nobody',
      [{ include: [Stranger] }],
      'Option "include"',
      'includes Stranger, which is not a module of this app',
    ],
  ] as [string, Given[], string, string][])('are refused: %s', async (_what, servers, option, words) => {
    const { message } = await refusal(importing(...servers.map(rooted)));
    expect(message).toContain(option);
    expect(message).toContain(words);
  });

  it('are refused whichever way their paths are made', async () => {
    const made = McpModule.forRootAsync({ server: 'b', useFactory: () => ({ ...IDENTITY, path: '/mcp' }) });
    expect((await refusal(importing(rooted({}), made))).message).toContain('both answer at /mcp');
  });

  it('may share a name that differs only over HTTP', async () => {
    const app = await start(
      importing(rooted({ http: false }), rooted({ server: 'b', http: false }), rooted({ server: 'c' })),
    );
    expect(app).toBeDefined();
    await app.close();
  });

  it('are one where two modules import the same', async () => {
    const shared = rooted({});
    @Module({ imports: [shared] })
    class OtherModule {}
    const app = await start(importing(shared, { module: OtherModule }));
    expect(app).toBeDefined();
    await app.close();
  });
});

describe('options objects', () => {
  it('are not changed', async () => {
    const freeze = <T>(value: T): T => {
      if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
      return value;
    };
    const options = freeze({
      ...IDENTITY,
      icons: [{ src: 'https://a/b.png', sizes: ['any'] }],
      server: 'default',
      include: [],
      http: { guards: [], allowedOrigins: ['a.example'] },
      auth: { property: 'user' },
      cache: { tools: { ttlMs: 5 } },
      protocols: ['2026-07-28'],
    });
    const before = JSON.stringify(options);
    const app = await start(importing(McpModule.forRoot(options)));
    await app.close();
    expect(JSON.stringify(options)).toBe(before);
    const feature = freeze({ server: 'default', providers: [Stranger], imports: [] });
    await (await start(importing(rooted({}), McpModule.forFeature(feature)))).close();
  });
});
