import type { AuditCheck } from './audit-check.js';

/** Without a deadline, calls that hang hold their places until none is left. */
export const endlessCallCheck: AuditCheck = {
  name: 'endless-call',
  inspect: ({ settings: { limits } }) =>
    limits.requestTimeoutMs === Number.POSITIVE_INFINITY
      ? [
          'limits.requestTimeoutMs is Infinity, so a call that hangs keeps its place for ever. Set it to the longest that a call may take.',
        ]
      : [],
};
