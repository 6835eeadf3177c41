import type { AuditCheck } from './audit-check.js';

/** Nest ends an app on a signal only where it was told to. */
export const shutdownHooksCheck: AuditCheck = {
  name: 'shutdown-hooks',
  inspect: ({ isReachable }) =>
    !isReachable || process.listenerCount('SIGTERM') > 0
      ? []
      : ['Shutdown hooks are off, so a SIGTERM cuts running calls. Call app.enableShutdownHooks() before listen().'],
};
