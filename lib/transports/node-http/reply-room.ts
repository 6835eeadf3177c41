import { KeepAlive } from './keep-alive.js';
import { OpenReplies } from '../../exchange/open-replies.js';
import { WriteWatch } from './write-watch.js';

/** What answers may cost; milliseconds. */
export interface ReplyLimits {
  readonly keepAliveMs: number;
  readonly writeTimeoutMs: number;
  readonly disconnectProbeMs?: number;
}

/** What all answers of one endpoint share. */
export class ReplyRoom {
  readonly replies = new OpenReplies();
  readonly keepAlive: KeepAlive;
  readonly writes: WriteWatch;
  readonly disconnectProbeMs: number | undefined;

  constructor({ keepAliveMs, writeTimeoutMs, disconnectProbeMs }: ReplyLimits) {
    this.keepAlive = new KeepAlive(Math.min(keepAliveMs, disconnectProbeMs ?? keepAliveMs));
    this.writes = new WriteWatch(writeTimeoutMs);
    this.disconnectProbeMs = disconnectProbeMs;
  }
}
