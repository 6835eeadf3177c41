import { readPrincipal, type PrincipalReader } from '../dispatch/caller-identity.js';
import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import { KEYS_VARIABLE, randomKey, readKeys } from '../request-state/key.reader.js';
import { StateSealer } from '../request-state/state-sealer.js';
import type { StateKey } from '../request-state/state-sealer-options.interface.js';
import type { McpRequestStateOptions } from './mcp-options.interface.js';
import { refuseUnknown, requireFields } from './option-rules.js';

/** What the states of a server are sealed with. */
export interface RequestStateSettings {
  readonly sealer: StateSealer;
  readonly principalOf: PrincipalReader;
  /** Whether its keys end with this process. */
  readonly isEphemeral: boolean;
}

/** Keys of the options, else those of the environment, else one of this process. */
export function readRequestState(options: McpRequestStateOptions = {}): RequestStateSettings {
  requireFields(options, 'requestState');
  refuseUnknown(options, 'requestState');
  const { principal, keys: given, ...others } = options;
  if (principal !== undefined && typeof principal !== 'function') {
    throw new InvalidOptionsError('requestState.principal', 'it must be a function (auth) => string.');
  }
  const keys = given ?? keysOfEnvironment();
  return {
    sealer: new StateSealer({ keys: keys ?? [randomKey()], ...others }),
    principalOf: principal ?? readPrincipal,
    isEphemeral: keys === undefined,
  };
}

function keysOfEnvironment(): readonly StateKey[] | undefined {
  const text = process.env[KEYS_VARIABLE];
  return text === undefined ? undefined : readKeys(text);
}
