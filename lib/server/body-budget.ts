import { callerKey, isAnonymous, ownerOf } from '../dispatch/caller-identity.js';
import type { Caller } from '../model/peer.js';

/** A caller may hold one half of the total. */
const SHARES = 2;

/** Bytes of bodies that one server holds while they arrive: a total, and a share of it for each caller. */
export class BodyBudget {
  private readonly maxPerOwner: number;
  private readonly held = new Map<unknown, number>();
  private total = 0;

  constructor(private readonly maxBytes: number) {
    this.maxPerOwner = Math.ceil(maxBytes / SHARES);
  }

  get heldBytes(): number {
    return this.total;
  }

  /** The key that a body is counted for. An anonymous caller could open many connections, so its address is the key. */
  payerOf(caller: Caller): unknown {
    const owner = ownerOf(caller);
    return isAnonymous(owner) && caller.address !== undefined ? callerKey(caller) : owner;
  }

  /** Reserves the bytes; returns `false` if a limit would be exceeded. */
  take(payer: unknown, bytes: number): boolean {
    const held = (this.held.get(payer) ?? 0) + bytes;
    if (held > this.maxPerOwner || this.total + bytes > this.maxBytes) return false;
    this.held.set(payer, held);
    this.total += bytes;
    return true;
  }

  release(payer: unknown, bytes: number): void {
    const held = (this.held.get(payer) ?? 0) - bytes;
    if (held > 0) this.held.set(payer, held);
    else this.held.delete(payer);
    this.total -= bytes;
  }
}
