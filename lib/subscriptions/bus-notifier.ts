import { Logger } from '@nestjs/common';

import { logFailure } from '../errors/failure.log.js';
import type { Change } from '../model/change.js';
import { isAbsoluteUri, canonicalUri } from '../uri/canonical-uri.js';
import type { ChangeBus } from './change-bus.js';
import { McpNotifier } from './mcp-notifier.js';

/** Publishes the changes of one server on its bus. */
export class BusNotifier extends McpNotifier {
  private readonly logger = new Logger('McpSubscriptions');
  /** Changes that will be published at the end of the tick, by kind or canonical URI. */
  private readonly pending = new Map<string, Promise<void>>();

  constructor(
    private readonly server: string,
    private readonly bus: ChangeBus,
  ) {
    super();
  }

  toolsChanged(): Promise<void> {
    return this.notify('tools-changed', { kind: 'tools-changed' });
  }

  promptsChanged(): Promise<void> {
    return this.notify('prompts-changed', { kind: 'prompts-changed' });
  }

  resourcesChanged(): Promise<void> {
    return this.notify('resources-changed', { kind: 'resources-changed' });
  }

  resourceUpdated(uri: string): Promise<void> {
    const key = typeof uri === 'string' && isAbsoluteUri(uri) ? canonicalUri(uri) : undefined;
    if (key !== undefined) return this.notify(key, { kind: 'resource-updated', uri });
    const advice = 'Start it with a scheme, as in "docs://readme", and percent-encode spaces.';
    return this.watch(Promise.reject(new TypeError(`${show(uri)} is not an absolute URI. ${advice}`)));
  }

  private notify(key: string, change: Change): Promise<void> {
    const pending = this.pending.get(key);
    if (pending !== undefined) return pending;
    const published = this.watch(this.publishSoon(key, change));
    this.pending.set(key, published);
    return published;
  }

  private async publishSoon(key: string, change: Change): Promise<void> {
    await Promise.resolve();
    this.pending.delete(key);
    await this.bus.publish({ server: this.server, change });
  }

  /** Most callers do not await it, and a bus that is down must not end their process. */
  private watch(published: Promise<void>): Promise<void> {
    published.catch((error: unknown) => logFailure(this.logger, 'Clients were not told of a change', error));
    return published;
  }
}

const show = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : `A ${typeof value}`);
