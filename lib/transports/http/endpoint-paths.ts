import type { ApplicationConfig } from '@nestjs/core';

interface ExcludedRoute {
  readonly pathRegex: RegExp;
  readonly requestMethod: number;
}

const EVERY_METHOD = 5;

/** Where Nest's router puts the endpoint: below the global prefix, unless it is excluded from that. */
export function endpointPaths(path: string, config: ApplicationConfig): readonly string[] {
  const prefix = config.getGlobalPrefix();
  const own = withSlash(path);
  if (prefix === '' || prefix === undefined) return [own];
  const excluded = (config.getGlobalPrefixOptions().exclude ?? []) as readonly ExcludedRoute[];
  const isExcluded = excluded.some(
    ({ pathRegex, requestMethod }) => requestMethod === EVERY_METHOD && pathRegex.test(own),
  );
  return [isExcluded ? own : `${withSlash(prefix).replace(/\/+$/, '')}${own}`];
}

function withSlash(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}
