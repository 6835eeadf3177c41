import { anyOriginCheck } from './any-origin.check.js';
import type { AuditCheck, AuditedServer, Finding } from './audit-check.js';
import { endlessCallCheck } from './endless-call.check.js';
import { openEndpointCheck } from './open-endpoint.check.js';
import { openListenerCheck } from './open-listener.check.js';
import { publicCacheCheck } from './public-cache.check.js';
import { shutdownHooksCheck } from './shutdown-hooks.check.js';

const CHECKS: readonly AuditCheck[] = [
  shutdownHooksCheck,
  openEndpointCheck,
  openListenerCheck,
  anyOriginCheck,
  publicCacheCheck,
  endlessCallCheck,
];

/** Everything that a person should know before others find out. */
export function auditServer(server: AuditedServer): readonly Finding[] {
  return CHECKS.flatMap(({ name, inspect }) => inspect(server).map((text) => ({ check: name, text })));
}
