import { McpError } from '../../errors/mcp.error.js';
import { fingerprint } from '../calls/caller-identity.js';

/** Tells in one text who a caller is; `undefined` for nobody in particular. */
export type PrincipalReader = (auth: unknown) => string | undefined;

const isName = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/**
 * Who a caller is, whatever else a guard left about it that changes with every token: a name, or the `sub` of an `iss`, or
 * an `id`, or else all that it holds.
 *
 * @throws McpError for what cannot be compared: a state could be used by somebody else.
 */
export const readPrincipal: PrincipalReader = (auth) => {
  if (auth === undefined || auth === null) return undefined;
  const { sub, iss, id } = (typeof auth === 'object' ? auth : {}) as Readonly<Record<string, unknown>>;
  const name = isName(sub) ? { sub, iss: isName(iss) ? iss : undefined } : isName(id) ? { id } : auth;
  const text = fingerprint(name);
  if (text !== undefined) return text;
  throw new McpError(
    'MCP_PRINCIPAL_UNKNOWN',
    'A question cannot be asked, since what the guard left about the caller has neither "sub" nor "id" and holds more than plain data. Pass requestState: { principal: (auth) => ... } to McpModule.',
  );
};
