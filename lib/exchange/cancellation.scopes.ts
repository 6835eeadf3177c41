import { Logger } from '@nestjs/common';

import { warn } from '../errors/log-line.js';
import type { JobKey } from '../execution/job.js';
import type { Caller } from '../model/peer.js';
import type { RequestId } from '../wire/json-rpc.js';
import { fingerprint } from '../dispatch/caller-identity.js';

let servers = 0;

/**
 * Within which requests an id is unique, and a cancellation reaches the request that it names: the same server, the same
 * caller and the same client instance, both as a guard told them, or as the connection is the client. Ids mean nothing
 * anywhere else.
 */
export class CancellationScopes {
  private readonly logger = new Logger('McpCancellation');
  private readonly server = (servers += 1);
  private hasWarned = false;

  /** `undefined` outside of any scope: such a request cannot be named by another one. */
  keyOf(caller: Caller, id: RequestId): JobKey | undefined {
    if (caller.clientInstance !== undefined) return { scope: caller.clientInstance, id };
    const instance = caller.cancellationScope?.();
    if (instance === undefined || instance === null || instance === '') return undefined;
    const auth = caller.auth();
    if (auth === undefined || auth === null) return undefined;
    const [who, where] = [fingerprint(auth), fingerprint(instance)];
    if (who === undefined || where === undefined) return this.warn();
    return { scope: `${this.server} ${who} ${where}`, id };
  }

  private warn(): undefined {
    if (this.hasWarned) return;
    this.hasWarned = true;
    warn(
      this.logger,
      'Clients cannot cancel requests: what the guard left about the caller, or its cancellation scope, holds more than plain data and cannot be compared. Leave strings, numbers, arrays and objects of them.',
    );
  }
}
