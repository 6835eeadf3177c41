import { ServerClosedError, ServerNotReadyError } from '../../errors/client.errors.js';
import type { ExchangeHandler } from '../../exchange/exchange.handler.js';
import type { Link } from '../../wire/link.js';
import { OpenReplies } from '../../exchange/open-replies.js';
import type { TrustedProperties } from '../trusted-properties.js';
import { InProcessLink } from './in-process.link.js';
import type { StandInParts } from './stand-in-request.js';

/** Lets code of the same process call the server, on the way of every other message. */
export class InProcessTransport {
  private readonly replies = new OpenReplies();
  private state: 'starting' | 'open' | 'closed' = 'starting';

  constructor(
    private readonly exchanges: ExchangeHandler,
    private readonly properties: TrustedProperties,
  ) {}

  get isOpen(): boolean {
    return this.state === 'open';
  }

  /** Only now has the app all its global enhancers. */
  open(): void {
    this.state = 'open';
  }

  connect(parts: StandInParts): Link {
    const { exchanges, properties, replies } = this;
    return new InProcessLink({ exchanges, properties, replies, refuse: () => this.refuse() }, parts);
  }

  /** Calls of handlers that still run are taken while they are waited for. Harmless to repeat. */
  async stop(timeoutMs: number): Promise<void> {
    await this.replies.drain(timeoutMs);
    this.state = 'closed';
  }

  /** Why nothing is taken, before the app has started and after it has closed. */
  refuse(): Error | undefined {
    return this.isOpen ? undefined : this.state === 'closed' ? new ServerClosedError() : new ServerNotReadyError();
  }
}
