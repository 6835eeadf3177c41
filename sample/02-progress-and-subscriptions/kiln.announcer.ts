import { Injectable, type OnModuleInit } from '@nestjs/common';
import { McpNotifier, McpRegistry, type ComponentHandle } from 'nestjs-mcp';

import { KilnService, type Kiln } from './kiln.service.js';
import { KILN_URI } from './studio.resources.js';

/** Notifies clients of changes of the kiln, and registers the tool that is possible only while the kiln is hot. */
@Injectable()
export class KilnAnnouncer implements OnModuleInit {
  private opening: ComponentHandle | undefined;

  constructor(
    private readonly kiln: KilnService,
    private readonly notifier: McpNotifier,
    private readonly registry: McpRegistry,
  ) {}

  onModuleInit(): void {
    this.kiln.onChange((kiln) => this.announce(kiln));
  }

  private async announce({ state }: Kiln): Promise<void> {
    await this.notifier.resourceUpdated(KILN_URI);
    if (state === 'ready') await this.offerOpening();
    else this.withdrawOpening();
  }

  /** Registering is enough: subscribed clients are notified that the list of tools has changed. */
  private async offerOpening(): Promise<void> {
    const description = 'Open the kiln and take the pots out';
    this.opening = await this.registry.addTool({ name: 'open_kiln', description }, async () => {
      return { pots: await this.kiln.open() };
    });
  }

  /** The running call that opens the kiln is not affected. */
  private withdrawOpening(): void {
    this.opening?.remove();
    this.opening = undefined;
  }
}
