import { Injectable } from '@nestjs/common';

import { RegistryProfile } from './dispatch/registry.profile.js';
import { ServerProfile } from './model/server-profile.js';
import { ComponentRegistry, type ChangedList } from './registry/component.registry.js';
import { McpNotifier } from './subscriptions/mcp-notifier.js';

/** Tells clients when components come and go at run time. */
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

  /** What is there from the beginning is no change. */
  start(): void {
    this.started = true;
  }

  private announce(lists: ReadonlySet<ChangedList>): void {
    if (this.profile instanceof RegistryProfile) this.profile.refresh();
    if (!this.started) return;
    // The notifier logs what goes wrong.
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
