import { Logger } from '@nestjs/common';

import { messageOf, warn } from '../../errors/log-line.js';

type Trouble = 'undecided' | 'held' | 'failed' | 'late';

/** Says once for an endpoint, and for each kind of trouble, what code of the app around its route does to requests. */
export class RouteAlarm {
  private readonly logger = new Logger('McpModule');
  private readonly raised = new Set<Trouble>();

  constructor(
    private readonly path: string,
    private readonly timeoutMs: number,
  ) {}

  /** Guards or middleware have not let a request pass in time. */
  undecided(): void {
    this.raise(
      'undecided',
      `A guard or a middleware of the app has held a request to ${this.path} for ${this.timeoutMs} ms (limits.requestTimeoutMs), so it was answered with 504. Give whatever it waits for a timeout of its own.`,
    );
  }

  /** An interceptor never called `next.handle()`, and threw nothing. */
  held(): void {
    this.raise(
      'held',
      `An interceptor of type http has not let a request to ${this.path} through within ${this.timeoutMs} ms (limits.requestTimeoutMs), so it was answered with 504. An interceptor cannot answer MCP requests by a value of its own: let it call next.handle() where the path is ${this.path}.`,
    );
  }

  /** An interceptor failed, or completed without a value, before the controller ran. */
  failed(): void {
    this.raise(
      'failed',
      `An interceptor of type http has ended a request to ${this.path} before it reached the endpoint, so it was answered with an error. Let the interceptor call next.handle() where the path is ${this.path}, and refuse callers by a guard instead.`,
    );
  }

  /** An interceptor failed after the controller had run, by a timeout for example. */
  late(error: unknown): void {
    this.raise(
      'late',
      `An interceptor of type http has ended a request to ${this.path} with an error (${messageOf(error)}), while the endpoint answers it. The error has no effect: the answer of the endpoint goes out. Exclude ${this.path} from the interceptor, or let it act where context.getType() is 'mcp'; how long requests may take is set by limits.requestTimeoutMs and by timeoutMs of a component.`,
    );
  }

  private raise(trouble: Trouble, text: string): void {
    if (this.raised.has(trouble)) return;
    this.raised.add(trouble);
    warn(this.logger, text);
  }
}
