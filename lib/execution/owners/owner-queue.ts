import { Chain, type Links } from './chain.js';

/** What one owner has waiting and running. */
export class OwnerQueue<J extends Links<J>> implements Links<OwnerQueue<J>> {
  previous: OwnerQueue<J> | undefined = undefined;
  next: OwnerQueue<J> | undefined = undefined;
  readonly waiting = new Chain<J>();
  /** Places it has taken. */
  running = 0;
  /** All that it waits for or runs, with or without a place. */
  jobs = 0;
  inTurn = false;
  /** Whether others find it by its owner. */
  isKnown = false;

  constructor(
    readonly owner: unknown,
    readonly maxRunning: number,
    readonly maxWaiting: number,
  ) {}

  get hasRoom(): boolean {
    return this.running < this.maxRunning;
  }

  get mayWait(): boolean {
    return this.waiting.length < this.maxWaiting;
  }

  get ready(): boolean {
    return this.waiting.length > 0 && this.hasRoom;
  }
}
