import type { AcceptedJob } from './owners.js';
import type { JobKey } from './job.js';

/** Live jobs by key. Ids are compared by type and value: 1, '1' and 1n are different. */
export class JobKeys {
  private readonly scopes = new LazyMap<Map<JobKey['id'], AcceptedJob>>();

  find(key: JobKey): AcceptedJob | undefined {
    return this.scopes.get(key.scope)?.get(key.id);
  }

  /** The key must be absent. */
  set(key: JobKey, job: AcceptedJob): void {
    let ids = this.scopes.get(key.scope);
    if (ids === undefined) {
      ids = new Map();
      this.scopes.set(key.scope, ids);
    }
    ids.set(key.id, job);
  }

  /** The key must be present. */
  delete(key: JobKey): void {
    const ids = this.scopes.get(key.scope);
    if (ids?.size === 1) this.scopes.delete(key.scope);
    else ids?.delete(key.id);
  }
}

/** Maximum number of deleted keys that are kept, unless more keys are live. */
const MAX_DELETED = 64;

/**
 * A map that keeps deleted keys until there are many of them.
 * A `Map` with few entries allocates a new table at every `delete`, which costs more than the rest of the bookkeeping.
 */
export class LazyMap<V extends object> {
  private entries = new Map<unknown, V | undefined>();
  private deleted = 0;

  get size(): number {
    return this.entries.size - this.deleted;
  }

  get(key: unknown): V | undefined {
    return this.entries.get(key);
  }

  /** The key must be absent. */
  set(key: unknown, value: V): void {
    const { size } = this.entries;
    this.entries.set(key, value);
    if (this.entries.size === size) this.deleted -= 1;
  }

  /** The key must be present. */
  delete(key: unknown): void {
    this.entries.set(key, undefined);
    this.deleted += 1;
    if (this.deleted > MAX_DELETED && this.deleted > this.size) this.sweep();
  }

  *values(): Generator<V, void> {
    for (const value of this.entries.values()) if (value !== undefined) yield value;
  }

  private sweep(): void {
    const live = new Map<unknown, V | undefined>();
    for (const [key, value] of this.entries) if (value !== undefined) live.set(key, value);
    this.entries = live;
    this.deleted = 0;
  }
}
