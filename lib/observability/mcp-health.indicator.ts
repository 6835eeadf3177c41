import { Injectable, type OnModuleDestroy } from '@nestjs/common';

import { Executor } from '../execution/executor.js';
import { ComponentRegistry } from '../registry/component.registry.js';
import { SubscriptionHub } from '../subscriptions/subscription.hub.js';

/**
 * The health of a server.
 *
 * @publicApi
 */
export interface McpHealth {
  readonly status: 'up' | 'down';
  /** Why it is down; omitted when it is up. */
  readonly reason?: string;
  /** Running calls. */
  readonly running: number;
  /** Queued calls. */
  readonly queued: number;
  /** Methods that still run although their call has ended. */
  readonly abandoned: number;
  /** Open subscriptions. */
  readonly subscriptions: number;
  /** Tools, resources, templates and prompts that clients can list. */
  readonly components: number;
}

/**
 * Reports whether a server should get more requests, in the form that `@nestjs/terminus` expects. The server is down if
 * more than half of its queue is used, while a method ignores the end of its call, and when the app has begun to close.
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

  /** The health under the given key. */
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
