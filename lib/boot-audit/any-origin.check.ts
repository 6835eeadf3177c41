import type { AuditCheck } from './audit-check.js';

/** A page of any site can then use the endpoint with whatever lets its visitor in. */
export const anyOriginCheck: AuditCheck = {
  name: 'any-origin',
  inspect: ({ isReachable, settings: { admission } }) =>
    isReachable && admission.allowedOrigins.includes('*')
      ? [
          'http.allowedOrigins holds "*", so web pages of any site may call the MCP endpoint. Name the origins you trust.',
        ]
      : [],
};
