/** What an item of a chain carries itself, so that joining and leaving allocate nothing. */
export interface Links<T> {
  previous: T | undefined;
  next: T | undefined;
}

/** A list that items leave from anywhere at once; an item is in one chain at a time. */
export class Chain<T extends Links<T>> {
  first: T | undefined = undefined;
  length = 0;
  last: T | undefined = undefined;

  append(item: T): void {
    item.previous = this.last;
    if (this.last === undefined) this.first = item;
    else this.last.next = item;
    this.last = item;
    this.length += 1;
  }

  /** The item must be in this chain. */
  remove(item: T): void {
    const { previous, next } = item;
    if (previous === undefined) this.first = next;
    else previous.next = next;
    if (next === undefined) this.last = previous;
    else next.previous = previous;
    // One that has left keeps none of the others alive.
    item.previous = undefined;
    item.next = undefined;
    this.length -= 1;
  }

  *[Symbol.iterator](): Generator<T, void> {
    for (let item = this.first; item !== undefined; item = item.next) yield item;
  }
}
