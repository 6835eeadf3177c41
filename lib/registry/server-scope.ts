import { DEFAULT_SERVER } from '../mcp.constants.js';

/** Which components a server offers. */
export interface ServerScope {
  readonly server: string;
  /** Module classes whose components belong to this server. */
  readonly include: readonly unknown[];
}

/** Where a component was found, as far as it decides about its server. */
export interface ComponentOrigin {
  readonly declared?: string | readonly string[];
  /** Server of the feature module that provides it. */
  readonly feature?: string;
  readonly module: unknown;
}

/** The decorator's word counts first, then the feature module's, then `include`; the rest is the default server's. */
export function serversOf(origin: ComponentOrigin, scopes: readonly ServerScope[]): readonly string[] {
  if (origin.declared !== undefined) return [origin.declared].flat();
  if (origin.feature !== undefined) return [origin.feature];
  const including = scopes.filter((scope) => scope.include.includes(origin.module)).map((scope) => scope.server);
  return including.length > 0 ? including : [DEFAULT_SERVER];
}
