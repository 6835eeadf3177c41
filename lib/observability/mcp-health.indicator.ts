import { Injectable, type OnModuleDestroy } from '@nestjs/common';

import { Executor } from '../execution/executor.js';
import { ComponentRegistry } from '../registry/component.registry.js';
import { SubscriptionHub } from '../subscriptions/subscription.hub.js';

/**
 * What a health check tells about a server.
 *
 * @publicApi
 */
export interface McpHealth {
  readonly status: 'up' | 'down';
  /** Why it is down; left out when it is up. */
  readonly reason?: string;
  /** Calls that run. */
  readonly running: number;
  /** Calls that wait. */
  readonly queued: number;
  /** Methods that did not stop and still run. */
  readonly abandoned: number;
  /** Open subscriptions. */
  readonly subscriptions: number;
  /** Tools, resources, templates and prompts that clients can list. */
  readonly components: number;
}

/**
 * Tells whether a server should get more work, in the form that `@nestjs/terminus` expects of its indicators: it is down
 * when more than half of its queue is taken, when a method ignored its end, and from when the app begins to close.
 *
 * @publicApi
 */
@Injectable()
export class McpHealthIndicator implements OnModuleDestroy {
  private closing = false;

  constructor(
    private readonly executor: Executor,
    private readonly hub: SubscriptionHub,
    private readonly components: ComponentRegistry,
  ) {}

  /** The health under a key of your choice. */
  isHealthy<K extends string = 'mcp'>(key: K = 'mcp' as K): Record<K, McpHealth> {
    const { running, queued, abandoned, maxQueue } = this.executor.stats();
    const reason = this.closing
      ? 'The app is closing.'
      : abandoned > 0
        ? 'A method did not stop when its call had ended.'
        : queued > maxQueue / 2
          ? 'More than half of the queue is taken.'
          : undefined;
    const status = reason === undefined ? 'up' : 'down';
    const counts = { running, queued, abandoned, subscriptions: this.hub.stats().listeners };
    const health: McpHealth = {
      status,
      ...(reason === undefined ? {} : { reason }),
      ...counts,
      components: this.listed(),
    };
    return { [key]: health } as Record<K, McpHealth>;
  }

  onModuleDestroy(): void {
    this.closing = true;
  }

  private listed(): number {
    const { components } = this;
    const kinds = ['tool', 'resource', 'template', 'prompt'] as const;
    return kinds.reduce((count, kind) => count + components.listed(kind).length, 0);
  }
}
