import type { Type } from '@nestjs/common';
import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';

interface ExcludedRoute {
  readonly pathRegex: RegExp;
  readonly requestMethod: number;
}

const EVERY_METHOD = 5;

/** Metadata key of the path of a module, set by `RouterModule`. */
const MODULE_PATH = '__module_path__';

/** The path that Nest registers: below the global prefix, unless excluded from it, and below the path of its module. */
export function endpointPath(
  path: string,
  controller: Type<unknown>,
  modules: ModulesContainer,
  config: ApplicationConfig,
): string {
  const own = `${trimmed(modulePath(controller, modules))}${trimmed(path)}` || '/';
  const prefix = trimmed(config.getGlobalPrefix() ?? '');
  if (prefix === '' || isExcluded(own, config)) return own;
  return own === '/' ? prefix : `${prefix}${own}`;
}

function isExcluded(path: string, config: ApplicationConfig): boolean {
  const excluded = (config.getGlobalPrefixOptions().exclude ?? []) as readonly ExcludedRoute[];
  return excluded.some(({ pathRegex, requestMethod }) => requestMethod === EVERY_METHOD && pathRegex.test(path));
}

function modulePath(controller: Type<unknown>, modules: ModulesContainer): string {
  const hostModule = [...modules.values()].find(({ controllers }) => controllers.has(controller))?.metatype;
  if (hostModule === undefined) return '';
  const ofApp: unknown = Reflect.getMetadata(MODULE_PATH + modules.applicationId, hostModule);
  const found = ofApp ?? (Reflect.getMetadata(MODULE_PATH, hostModule) as unknown);
  return typeof found === 'string' ? found : '';
}

/** Adds a leading slash and removes trailing ones; a path of slashes becomes empty. */
function trimmed(path: string): string {
  const [start, end] = [path.search(/[^/]/), path.search(/\/*$/)];
  return start === -1 ? '' : `/${path.slice(start, end)}`;
}
