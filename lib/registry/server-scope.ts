import { DEFAULT_SERVER } from '../mcp.constants.js';

/** Determines the components that a server offers. */
export interface ServerScope {
  readonly server: string;
  /** Module classes whose components belong to this server. */
  readonly include: readonly unknown[];
}

/** The origin of a component, which determines its servers. */
export interface ComponentOrigin {
  readonly declared?: string | readonly string[];
  /** Server of the feature module that provides it. */
  readonly feature?: string;
  readonly module: unknown;
}

/** The decorator takes precedence, then the feature module, then `include`; other components belong to the default server. */
export function serversOf(origin: ComponentOrigin, scopes: readonly ServerScope[]): readonly string[] {
  if (origin.declared !== undefined) return [origin.declared].flat();
  if (origin.feature !== undefined) return [origin.feature];
  const including = scopes.filter((scope) => scope.include.includes(origin.module)).map((scope) => scope.server);
  return including.length > 0 ? including : [DEFAULT_SERVER];
}
