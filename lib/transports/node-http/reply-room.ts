import { ConnectionWatch } from './connection-watch.js';
import { KeepAlive } from './keep-alive.js';
import { OpenReplies } from './open-replies.js';

/** What answers may cost; milliseconds. */
export interface ReplyLimits {
  readonly keepAliveMs: number;
  readonly writeTimeoutMs: number;
  readonly disconnectProbeMs?: number;
}

/** What all answers of one endpoint share. */
export class ReplyRoom {
  readonly replies = new OpenReplies();
  readonly connections = new ConnectionWatch();
  readonly keepAlive: KeepAlive;
  readonly writeTimeoutMs: number;
  readonly disconnectProbeMs: number | undefined;

  constructor({ keepAliveMs, writeTimeoutMs, disconnectProbeMs }: ReplyLimits) {
    this.keepAlive = new KeepAlive(Math.min(keepAliveMs, disconnectProbeMs ?? keepAliveMs));
    this.writeTimeoutMs = writeTimeoutMs;
    this.disconnectProbeMs = disconnectProbeMs;
  }
}
