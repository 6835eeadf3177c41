import type { AuditCheck } from './audit-check.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

/** Beyond this machine, whoever reaches the port is a stranger until a guard or a certificate says who it is. */
export const openListenerCheck: AuditCheck = {
  name: 'open-listener',
  inspect: ({ settings: { listener } }) => {
    if (listener === undefined || LOOPBACK.test(listener.host) || listener.guards.length > 0) return [];
    const { requestCert, rejectUnauthorized } = listener.https ?? {};
    if (requestCert === true && rejectUnauthorized !== false) return [];
    return [
      `The listener at ${listener.host} takes requests from other machines, and nothing guards it. Pass listener: { guards: [...] } to McpModule, or listen at 127.0.0.1.`,
    ];
  },
};
