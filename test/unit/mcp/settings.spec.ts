import { describe, expect, it } from '@jest/globals';

import { readPrincipal } from '../../../lib/dispatch/caller-identity.js';
import { Executor } from '../../../lib/execution/executor.js';
import { readSettings } from '../../../lib/options/settings.js';
import { StateSealer } from '../../../lib/request-state/state-sealer.js';

const IDENTITY = { name: 'a', version: '1' };

/** What requests may cost, of the endpoint and of other hosts. */
const DEFAULTS = {
  path: '/mcp',
  guards: [],
  interceptors: [],
  filters: [],
  maxBodyBytes: 2_000_000,
  bodyTimeoutMs: 10_000,
  readTimeoutMs: 5_000,
  keepAliveMs: 15_000,
  writeTimeoutMs: 5_000,
  chunkedBodies: 'accept',
};

describe('settings', () => {
  it('have safe defaults', () => {
    expect(readSettings(IDENTITY)).toEqual({
      profile: { identity: IDENTITY, cache: {}, subscriptions: true },
      limits: {
        ...{ requestTimeoutMs: 30_000, maxPendingBodyBytes: 67_108_864, maxResultBytes: 16_777_216 },
        ...{ maxSubscriptions: 256, maxSubscriptionsPerOwner: 128 },
      },
      execution: { executor: expect.any(Executor), owned: true },
      subscriptions: { maxPendingChanges: 100, overflow: 'drop-oldest' },
      admission: { allowedOrigins: ['loopback'] },
      http: DEFAULTS,
      web: DEFAULTS,
      listener: undefined,
      drainTimeoutMs: 5_000,
      properties: { auth: 'mcpAuth', cancellationScope: 'mcpCancellationScope' },
      access: { conceal: false, policyTimeoutMs: 5_000, publicResults: [] },
      requestState: { sealer: expect.any(StateSealer), principalOf: readPrincipal, isEphemeral: true },
      pageSize: 100,
    });
  });

  it('take every option over', () => {
    const guard = { canActivate: () => true };
    const settings = readSettings({
      ...IDENTITY,
      instructions: 'i',
      path: 'deep/path',
      pageSize: 7,
      auth: { property: 'user' },
      cache: { read: { ttlMs: 1 } },
      http: {
        guards: [guard],
        allowedOrigins: ['*'],
        allowedHosts: ['loopback'],
        maxBodyBytes: 1,
        bodyTimeoutMs: 2,
        readTimeoutMs: 3,
        chunkedBodies: 'refuse',
      },
      limits: { drainTimeoutMs: 4 },
    });
    expect(settings).toMatchObject({
      profile: { instructions: 'i', cache: { read: { ttlMs: 1 } } },
      admission: { allowedOrigins: ['*'], allowedHosts: ['loopback'] },
      http: {
        path: '/deep/path',
        guards: [guard],
        maxBodyBytes: 1,
        bodyTimeoutMs: 2,
        readTimeoutMs: 3,
        chunkedBodies: 'refuse',
      },
      drainTimeoutMs: 4,
      properties: { auth: 'user' },
      pageSize: 7,
    });
  });

  it('have safe defaults for a listener, and take its options over', () => {
    const defaults = {
      host: '127.0.0.1',
      port: 0,
      path: '/mcp',
      guards: [],
      allowedOrigins: ['loopback'],
      maxConnections: 1_024,
      maxConnectionsPerAddress: 512,
      maxRequestsPerAddress: 512,
      maxHeadBytes: 32_768,
      headTimeoutMs: 10_000,
      idleTimeoutMs: 10_000,
      maxBodyBytes: 2_000_000,
      bodyTimeoutMs: 10_000,
      readTimeoutMs: 5_000,
      keepAliveMs: 15_000,
      writeTimeoutMs: 5_000,
      chunkedBodies: 'accept',
      drainTimeoutMs: 5_000,
    };
    expect(readSettings({ ...IDENTITY, listener: { port: 0 } }).listener).toEqual(defaults);
    const given = { host: '::1', port: 8443, path: '/own', maxConnections: 1, headTimeoutMs: 2, idleTimeoutMs: 3 };
    const { listener } = readSettings({ ...IDENTITY, path: '/other', listener: given });
    expect(listener).toEqual({ ...defaults, ...given, maxConnectionsPerAddress: 1 });
    const bounds = { maxConnections: 5, maxConnectionsPerAddress: 4, maxRequestsPerAddress: 3 };
    expect(readSettings({ ...IDENTITY, listener: { port: 0, ...bounds } }).listener).toMatchObject(bounds);
    expect(readSettings({ ...IDENTITY, listener: { port: 0, maxConnections: 5 } }).listener).toMatchObject({
      maxConnectionsPerAddress: 3,
    });
    expect(readSettings({ ...IDENTITY, path: '/other', listener: { port: 1 } }).listener?.path).toBe('/other');
  });

  it('bound a server and its listener by the same limits', () => {
    const limits = { drainTimeoutMs: 7, maxSubscriptions: 8 };
    const settings = readSettings({ ...IDENTITY, http: false, listener: { port: 0 }, limits });
    expect([settings.drainTimeoutMs, settings.listener?.drainTimeoutMs]).toEqual([7, 7]);
    expect(settings.limits).toMatchObject({ maxSubscriptions: 8, maxSubscriptionsPerOwner: 4 });
  });

  it.each<readonly [string, object, number]>([
    ['the default', {}, 67_108_864],
    ['that of the endpoint', { http: { maxPendingBodyBytes: 4_000_000 } }, 4_000_000],
    ['that of the listener', { listener: { port: 0, maxPendingBodyBytes: 4_000_000 } }, 4_000_000],
    ['twice a large body', { http: { maxBodyBytes: 40_000_000 } }, 80_000_000],
    ['twice the largest body', { listener: { port: 0, maxBodyBytes: 50_000_000 } }, 100_000_000],
    ['less where bodies are small', { http: { maxBodyBytes: 1, maxPendingBodyBytes: 2 } }, 2],
    [
      'less where only the listener has bodies',
      { http: false, listener: { port: 0, maxBodyBytes: 1, maxPendingBodyBytes: 2 } },
      2,
    ],
  ])('hold bodies up to %s', (_name, options, expected) => {
    expect(readSettings({ ...IDENTITY, ...options }).limits.maxPendingBodyBytes).toBe(expected);
  });

  it('have no endpoint if there is no HTTP server', () => {
    expect(readSettings({ ...IDENTITY, http: false }).http).toBe(false);
  });

  it('do not follow a list that is changed later', () => {
    const guards = [{ canActivate: () => true }];
    const { http } = readSettings({ ...IDENTITY, http: { guards } });
    guards.pop();
    expect(http).toMatchObject({ guards: [expect.anything()] });
  });
});
