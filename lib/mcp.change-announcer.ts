import { Injectable } from '@nestjs/common';

import { RegistryProfile } from './dispatch/registry.profile.js';
import { ServerProfile } from './model/server-profile.js';
import { ComponentRegistry, type ChangedList } from './registry/component.registry.js';
import { McpNotifier } from './subscriptions/mcp-notifier.js';

/** Notifies clients when components are added and removed at run time. */
@Injectable()
export class ChangeAnnouncer {
  private started = false;

  constructor(
    registry: ComponentRegistry,
    private readonly profile: ServerProfile,
    private readonly notifier: McpNotifier,
  ) {
    registry.onChange((lists) => this.announce(lists));
  }

  /** Components that exist from the start are not changes. */
  start(): void {
    this.started = true;
  }

  private announce(lists: ReadonlySet<ChangedList>): void {
    if (this.profile instanceof RegistryProfile) this.profile.refresh();
    if (!this.started) return;
    // The notifier logs failures.
    for (const list of lists) this.notify(list).catch(() => undefined);
  }

  private notify(list: ChangedList): Promise<void> {
    switch (list) {
      case 'tools':
        return this.notifier.toolsChanged();
      case 'prompts':
        return this.notifier.promptsChanged();
      case 'resources':
        return this.notifier.resourcesChanged();
      default:
        return list satisfies never;
    }
  }
}
