import type { AcceptedJob } from './accepted-job.js';
import type { JobKey } from './job.js';
import { LazyMap } from './lazy-map.js';

/** The live jobs by their keys. Ids are equal in type and value: 1, '1' and 1n are three. */
export class JobKeys {
  private readonly scopes = new LazyMap<Map<JobKey['id'], AcceptedJob>>();

  find(key: JobKey): AcceptedJob | undefined {
    return this.scopes.get(key.scope)?.get(key.id);
  }

  /** The key must not be here. */
  set(key: JobKey, job: AcceptedJob): void {
    let ids = this.scopes.get(key.scope);
    if (ids === undefined) {
      ids = new Map();
      this.scopes.set(key.scope, ids);
    }
    ids.set(key.id, job);
  }

  /** The key must be here. */
  delete(key: JobKey): void {
    const ids = this.scopes.get(key.scope);
    if (ids?.size === 1) this.scopes.delete(key.scope);
    else ids?.delete(key.id);
  }
}
