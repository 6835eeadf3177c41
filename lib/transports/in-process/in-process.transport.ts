import { ServerClosedError, ServerNotReadyError } from '../../errors/client.errors.js';
import type { ExchangeHandler } from '../../server/exchange.handler.js';
import type { Link } from '../../wire/link.js';
import { OpenReplies } from '../../server/open-replies.js';
import type { Transport } from '../transport.js';
import type { TrustedProperties } from '../trusted-properties.js';
import { InProcessLink } from './in-process.link.js';
import type { StandInContent } from './stand-in-request.js';

/** Lets code of the same process call the server; messages are handled like those of other transports. */
export class InProcessTransport implements Transport {
  private readonly replies = new OpenReplies();
  private state: 'starting' | 'open' | 'closed' = 'starting';

  constructor(
    private readonly exchanges: ExchangeHandler,
    private readonly properties: TrustedProperties,
  ) {}

  get isOpen(): boolean {
    return this.state === 'open';
  }

  start(): void {
    this.state = 'open';
  }

  connect(parts: StandInContent): Link {
    const { exchanges, properties, replies } = this;
    return new InProcessLink({ exchanges, properties, replies, refuse: () => this.refuse() }, parts);
  }

  /** Accepts calls of running handlers during the drain. May be repeated. */
  async stop(timeoutMs: number): Promise<void> {
    await this.replies.drain(timeoutMs);
    this.state = 'closed';
  }

  /** Error for requests before the app has started and after it has closed. */
  refuse(): Error | undefined {
    return this.isOpen ? undefined : this.state === 'closed' ? new ServerClosedError() : new ServerNotReadyError();
  }
}
