import type { AccessOptions } from '../dispatch/access/access.control.js';
import type { PolicyGateOptions } from '../dispatch/access/policy.gate.js';
import type { McpPolicy } from '../dispatch/access/mcp-policy.js';
import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import { LIST_NAMES } from '../model/component.js';
import type { McpAuthOptions, McpModuleOptions } from './mcp-options.interface.js';
import { duration } from './option-rules.js';

/** Who sees and uses what. */
export interface AccessSettings extends AccessOptions, PolicyGateOptions {
  readonly policy?: NonNullable<McpAuthOptions['policy']>;
}

/** Results whose content follows from components; what `discover` says is the same for everyone. */
const PERSONAL = [...LIST_NAMES, 'read'] as const;

export function readAccess({ auth = {}, cache = {} }: McpModuleOptions): AccessSettings {
  const { policy, refusals = 'explain' } = auth;
  if (refusals !== 'explain' && refusals !== 'conceal') {
    throw new InvalidOptionsError('auth.refusals', 'it must be "explain" or "conceal".');
  }
  requirePolicy(policy);
  return {
    conceal: refusals === 'conceal',
    policyTimeoutMs: duration(auth.policyTimeoutMs, 'auth.policyTimeoutMs', 5_000),
    publicResults: PERSONAL.filter((subject) => cache[subject]?.scope === 'public'),
    ...(policy === undefined ? {} : { policy }),
  };
}

function requirePolicy(policy: McpAuthOptions['policy']): void {
  if (policy === undefined || typeof policy === 'function') return;
  if (typeof (policy as Partial<McpPolicy> | null)?.decide === 'function') return;
  throw new InvalidOptionsError('auth.policy', 'it must be a class that extends McpPolicy, or an instance of one.');
}
