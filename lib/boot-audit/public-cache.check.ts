import { LIST_NAMES, LISTS } from '../model/component.js';
import { isGuardedHost } from '../registry/hosts/placed-guards.js';
import type { AuditCheck } from './audit-check.js';

/** What a guard keeps from some callers, a shared cache would give to all. */
export const publicCacheCheck: AuditCheck = {
  name: 'public-cache',
  inspect: ({ settings: { profile }, components }) =>
    LIST_NAMES.flatMap((list) => {
      if (profile.cache[list]?.scope !== 'public') return [];
      const guarded = components.find((component) => component.kind === LISTS[list] && isGuardedHost(component.host));
      return guarded === undefined
        ? []
        : [
            `cache.${list}.scope is "public", but ${guarded.host.owner} is guarded, so shared caches may show it to anyone. Make it "private".`,
          ];
    }),
};
