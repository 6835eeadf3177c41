import type { AuditCheck } from './audit-check.js';
import { hasEndpointGuards } from './guarded-place.js';

/** What `discover` says is meant for everyone. */
const SUBJECTS = [
  ['tools', 'the list of tools'],
  ['resources', 'the list of resources'],
  ['templates', 'the list of templates'],
  ['prompts', 'the list of prompts'],
  ['read', 'what resources hold'],
] as const;

/** What a guard keeps from some callers, a shared cache would give to all. */
export const publicCacheCheck: AuditCheck = {
  name: 'public-cache',
  inspect: (server) =>
    SUBJECTS.flatMap(([subject, content]) => {
      const { settings, sentScope } = server;
      if (settings.profile.cache[subject]?.scope !== 'public') return [];
      const option = `cache.${subject}.scope is "public", but`;
      // Then the option has no effect, which is safe and yet not what somebody wanted.
      if (sentScope(subject) === 'private') {
        return [
          `${option} ${content} depends on the caller, so it is sent as "private" all the same. Make it "private".`,
        ];
      }
      return hasEndpointGuards(server)
        ? [
            `${option} guards stand before the MCP endpoint, so shared caches may show ${content} to callers whom they refuse. Make it "private".`,
          ]
        : [];
    }),
};
