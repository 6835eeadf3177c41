import { Chain, type Links } from './chain.js';

/** One owner, and what it has of each kind of places. */
export class Owner<J extends Links<J>> {
  /** All that it waits for or runs, with or without a place, abandoned jobs included. */
  jobs = 0;
  /** Whether others find it by its key. */
  isKnown = false;
  /** Made with its first job of the kind. */
  work: OwnerQueue<J> | undefined = undefined;
  control: OwnerQueue<J> | undefined = undefined;

  constructor(
    /** `undefined` for nobody in particular, who has no share and no limit. */
    readonly key: unknown,
    /** Whether nobody has identified it: the key stands for a connection or an address. */
    readonly isNameless: boolean,
  ) {}

  *waiting(): Generator<J, void> {
    if (this.work !== undefined) yield* this.work.waiting;
    if (this.control !== undefined) yield* this.control.waiting;
  }
}

/** How much of one kind of places an owner may hold. */
export interface OwnerShare {
  /** Running and abandoned jobs together. */
  readonly maxRunning: number;
  readonly maxWaiting: number;
  readonly maxAbandoned: number;
}

/** What one owner has waiting, running and abandoned of one kind of places. */
export class OwnerQueue<J extends Links<J>> implements Links<OwnerQueue<J>> {
  previous: OwnerQueue<J> | undefined = undefined;
  next: OwnerQueue<J> | undefined = undefined;
  readonly waiting = new Chain<J>();
  /** Places it has taken. */
  running = 0;
  /** Jobs that lost their place and still run. They give their place to others, not to their own owner. */
  abandoned = 0;
  inTurn = false;

  constructor(
    readonly owner: Owner<J>,
    private readonly share: OwnerShare,
  ) {}

  get hasRoom(): boolean {
    return this.running + this.abandoned < this.share.maxRunning;
  }

  get mayWait(): boolean {
    return this.waiting.length < this.share.maxWaiting;
  }

  get mayAbandon(): boolean {
    return this.abandoned < this.share.maxAbandoned;
  }

  /** Whether all that it may run is abandoned, so that waiting would be of no use. */
  get isBlocked(): boolean {
    return this.abandoned >= this.share.maxRunning;
  }

  get ready(): boolean {
    return this.waiting.length > 0 && this.hasRoom;
  }
}
