import type { AuditCheck } from './audit-check.js';

/** A page of any site can then use the endpoint with whatever lets its visitor in. */
export const anyOriginCheck: AuditCheck = {
  name: 'any-origin',
  inspect: ({ isReachable, settings: { admission, listener } }) => [
    ...(isReachable && admission.allowedOrigins.includes('*') ? [finding('http')] : []),
    ...(listener?.allowedOrigins.includes('*') === true ? [finding('listener')] : []),
  ],
};

const finding = (option: string): string =>
  `${option}.allowedOrigins holds "*", so web pages of any site may call the MCP endpoint. Name the origins you trust.`;
