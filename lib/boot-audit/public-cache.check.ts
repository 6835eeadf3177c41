import { isGuardedHost } from '../registry/hosts/placed-guards.js';
import type { AuditCheck } from './audit-check.js';

const CACHED_KINDS = [
  ['tools', 'tool'],
  ['resources', 'resource'],
  ['templates', 'template'],
  ['prompts', 'prompt'],
] as const;

/** What a guard keeps from some callers, a shared cache would give to all. */
export const publicCacheCheck: AuditCheck = {
  name: 'public-cache',
  inspect: ({ settings: { profile }, components }) =>
    CACHED_KINDS.flatMap(([subject, kind]) => {
      if (profile.cache[subject]?.scope !== 'public') return [];
      const guarded = components.find((component) => component.kind === kind && isGuardedHost(component.host));
      return guarded === undefined
        ? []
        : [
            `cache.${subject}.scope is "public", but ${guarded.host.owner} is guarded, so shared caches may show it to anyone. Make it "private".`,
          ];
    }),
};
