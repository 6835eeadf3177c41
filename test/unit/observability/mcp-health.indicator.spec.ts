import { describe, expect, it } from '@jest/globals';

import type { ExecutorStats } from '../../../lib/execution/executor-stats.interface.js';
import { McpHealthIndicator } from '../../../lib/observability/mcp-health.indicator.js';

function indicatorOf(stats: Partial<ExecutorStats> = {}): McpHealthIndicator {
  const all = { running: 3, queued: 0, abandoned: 0, owners: 1, slots: {}, maxConcurrency: 4, maxQueue: 8, ...stats };
  const listed = { tool: 2, resource: 1, template: 0, prompt: 1 };
  return new McpHealthIndicator(
    { stats: () => all } as never,
    { stats: () => ({ listeners: 5 }) } as never,
    { listed: (kind: keyof typeof listed) => Array.from({ length: listed[kind] }) } as never,
  );
}

describe('the health of a server', () => {
  it('has the form of an indicator, under a given key', () => {
    const health = { status: 'up', running: 3, queued: 0, abandoned: 0, subscriptions: 5, components: 4 };
    expect(indicatorOf().isHealthy()).toEqual({ mcp: health });
    expect(indicatorOf().isHealthy('shop')).toEqual({ shop: health });
  });

  it.each([
    [{ queued: 4 }, 'up', undefined],
    [{ queued: 5 }, 'down', 'More than half of the queue is taken.'],
    [{ maxQueue: 0 }, 'up', undefined],
    [{ running: 4 }, 'up', undefined],
    [{ abandoned: 1 }, 'down', 'A method did not stop when its call had ended.'],
  ] as const)('with %j is %s', (stats, status, reason) => {
    const { mcp } = indicatorOf(stats).isHealthy();
    expect([mcp.status, mcp.reason]).toEqual([status, reason]);
  });

  it('is down from when the app begins to close', () => {
    const indicator = indicatorOf();
    indicator.onModuleDestroy();
    expect(indicator.isHealthy().mcp).toMatchObject({ status: 'down', reason: 'The app is closing.' });
  });
});
