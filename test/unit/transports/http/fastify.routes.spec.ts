import 'reflect-metadata';

import { describe, expect, it } from '@jest/globals';

import { ENDPOINT } from '../../../../lib/transports/http/endpoint-route.js';
import {
  FastifyRoutes,
  type FastifyRoute,
  type RouteConfig,
  type RouterConfig,
} from '../../../../lib/transports/http/fastify.platform.js';

const MARK = {};
const ALL = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT', 'OPTIONS', 'TRACE'];

function marked(mark: unknown): () => void {
  const handler = (): void => undefined;
  Reflect.defineMetadata(ENDPOINT, mark, handler);
  return handler;
}

function own(url: string): FastifyRoute {
  return { url, method: ALL, handler: marked(MARK) };
}

function other(url: string, method: FastifyRoute['method'], constraints: object = {}): FastifyRoute {
  return { url, method, handler: () => undefined, constraints };
}

function routes(heard: readonly FastifyRoute[], config: RouterConfig = {}, path = '/mcp'): FastifyRoutes {
  const found = new FastifyRoutes({ mark: MARK, path: () => path }, config);
  for (const route of heard) found.onRoute(route);
  return found;
}

const ask = (found: FastifyRoutes, url: string, config: RouteConfig | undefined, rest: object = {}): boolean =>
  found.leadHere({ raw: { url, method: 'POST' }, is404: false, routeOptions: { ...(config && { config }) }, ...rest });

const LENIENT = { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true };

describe('FastifyRoutes', () => {
  it('marks the route of the endpoint, and recognizes its requests by the mark', () => {
    const [first, second] = [own('/:tenant/mcp'), { ...own('/other'), handler: marked({}) }];
    const found = routes([first, second]);
    expect([first.config?.[ENDPOINT], second.config]).toEqual([MARK, undefined]);
    expect(ask(found, '/a/mcp', first.config)).toBe(true);
    expect(ask(found, '/a/mcp', first.config, { params: { tenant: '' } })).toBe(false);
    expect(ask(found, '/a/mcp', second.config)).toBe(false);
    expect(ask(found, '/a/mcp', undefined)).toBe(false);
  });

  it('recognizes a plain path without the route, unless constraints may select another route', () => {
    expect(ask(routes([own('/mcp')]), '/mcp', undefined)).toBe(true);
    for (const heard of [
      [own('/mcp'), other('/MCP', 'GET', { host: 'a' })],
      [other('/mcp/', 'GET', { version: '2' }), own('/mcp')],
    ]) {
      expect(ask(routes(heard, { routerOptions: LENIENT }), '/mcp', undefined)).toBe(false);
    }
  });

  it.each([
    ['/mcp', {}, '/mcp?x=1', true],
    ['/mcp', {}, 'http://a@b:80/mcp', true],
    ['/mcp', {}, '/%6dcp', true],
    ['/mcp', {}, '/mcp%', false],
    ['/mcp', {}, '/MCP', false],
    ['/mcp', {}, '/mcp/', false],
    ['/mcp', {}, '/mcp;x', false],
    ['/a.b', {}, '/axb', false],
    ['/mcp', { useSemicolonDelimiter: true }, '/mcp;x=1?y', true],
    ['/mcp', LENIENT, '//MCP//', true],
    ['/:tenant/mcp', {}, '/a/mcp', true],
    ['/:tenant/mcp', {}, '/a/b/mcp', false],
    ['/:tenant/mcp', {}, '//mcp', false],
  ])('at %s with %j sees in %s what no method leads to: %s', (path, routerOptions, url, leads) => {
    const found = routes([own(path)], { routerOptions });
    const asked = (method: string): boolean => found.leadHere({ raw: { url, method }, is404: true, routeOptions: {} });
    expect([asked('PURGE'), asked('POST')]).toEqual([leads, false]);
  });

  it('finds the endpoint by its path where no mark is left', () => {
    const bare = { url: '/:a/mcp', method: ALL, handler: () => undefined };
    const found = routes([bare], {}, '/:a/mcp');
    expect(found.settle()).toEqual(['/:a/mcp']);
    expect(ask(found, '/x/mcp', (bare as FastifyRoute).config)).toBe(true);
    expect(routes([], {}, '/:a/mcp').settle()).toEqual(['/:a/mcp']);
  });

  it.each([
    ['before it', [other('/mcp', 'GET'), own('/mcp')], {}, 'GET /mcp'],
    ['after it', [own('/mcp'), other('/mcp', ['PUT', 'POST'])], {}, 'PUT, POST /mcp'],
    ['with a parameter of another name', [own('/:a/mcp'), other('/:b/mcp', 'GET')], {}, 'GET /:b/mcp'],
    ['spelled differently', [other('/MCP//', 'GET'), own('/mcp')], LENIENT, 'GET /MCP//'],
  ])('refuses a route at the same path, registered %s', (_name, heard, config, label) => {
    expect(() => routes(heard, config)).toThrow(
      `the app has the route ${label}, and the MCP endpoint is at ${heard.some(({ url }) => url === '/:a/mcp') ? '/:a/mcp' : '/mcp'}, so`,
    );
  });

  it('refuses a second server at the same path', () => {
    const second = { ...own('/mcp'), handler: marked({}) };
    expect(() => routes([own('/mcp'), second])).toThrow('two MCP servers of this app answer at /mcp');
  });

  it('accepts other routes, and those that differ by constraints or methods', () => {
    const heard = [
      own('/mcp'),
      other('/MCP', 'GET'),
      other('/mcp/', 'GET'),
      other('/mcp', 'PURGE'),
      other('/mcp', 'GET', { host: 'a' }),
      other('/x', 'GET'),
      other('/x', 'GET'),
    ];
    expect(() => routes(heard)).not.toThrow();
  });
});
