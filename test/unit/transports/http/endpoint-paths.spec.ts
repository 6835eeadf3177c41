import { describe, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { ApplicationConfig, type ModulesContainer } from '@nestjs/core';

import { endpointPath } from '../../../../lib/transports/http/endpoint-paths.js';

interface Place {
  readonly path?: string;
  readonly prefix?: string;
  readonly modulePath?: string;
  readonly excluded?: RegExp;
  readonly method?: RequestMethod;
}

function place({ path = '/mcp', prefix, modulePath, excluded, method = RequestMethod.ALL }: Place): string {
  class Endpoint {}
  class Home {}
  if (modulePath !== undefined) Reflect.defineMetadata('__module_path__app', modulePath, Home);
  const home = { metatype: Home, controllers: new Map([[Endpoint, {}]]) };
  const other = { metatype: class {}, controllers: new Map() };
  const modules = Object.assign(
    new Map<string, unknown>([
      ['other', other],
      ['home', home],
    ]),
    { applicationId: 'app' },
  );
  const config = new ApplicationConfig();
  if (prefix !== undefined) config.setGlobalPrefix(prefix);
  if (excluded !== undefined) {
    config.setGlobalPrefixOptions({ exclude: [{ path: '', pathRegex: excluded, requestMethod: method }] });
  }
  return endpointPath(path, Endpoint, modules as unknown as ModulesContainer, config);
}

describe('endpointPath', () => {
  it.each<[string, Place, string]>([
    ['nothing', {}, '/mcp'],
    ['a final slash', { path: '/mcp/' }, '/mcp'],
    ['the root', { path: '/' }, '/'],
    ['a prefix', { prefix: 'api' }, '/api/mcp'],
    ['a prefix with slashes and a parameter', { prefix: '/:tenant/' }, '/:tenant/mcp'],
    ['a prefix of the root', { prefix: 'api', path: '/' }, '/api'],
    ['a prefix that is a slash', { prefix: '/' }, '/mcp'],
    ['a path of its module', { modulePath: '/x' }, '/x/mcp'],
    ['a path of its module that is a slash', { modulePath: '/' }, '/mcp'],
    ['both', { prefix: 'api', modulePath: '/x/:y' }, '/api/x/:y/mcp'],
    ['an exclusion', { prefix: 'api', modulePath: '/x', excluded: /^\/x\/mcp$/ }, '/x/mcp'],
    ['an exclusion of another path', { prefix: 'api', excluded: /^\/x$/ }, '/api/mcp'],
    ['an exclusion for a method', { prefix: 'api', excluded: /^\/mcp$/, method: RequestMethod.POST }, '/api/mcp'],
  ])('follows %s', (_name, given, expected) => {
    expect(place(given)).toBe(expected);
  });
});
