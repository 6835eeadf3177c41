import 'reflect-metadata';

import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from '@jest/globals';

import { ENDPOINT } from '../../../../lib/transports/http/endpoint-route.js';
import { ExpressRoutes, type ExpressLayer } from '../../../../lib/transports/http/express.platform.js';

const MARK = {};
const ENDPOINT_ROUTE = { mark: MARK, path: () => '/mcp' };
const EVERY = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'search', 'trace'];

type Handler = (...parts: unknown[]) => void;

const marked = (mark: unknown): Handler => withMetadata(ENDPOINT, mark);
const ofController = (): Handler => withMetadata('path', '/');
const middleware = (): Handler => (_request: unknown, _response: unknown, _next: unknown) => undefined;

function withMetadata(key: string | symbol, value: unknown): Handler {
  const handler = middleware();
  Reflect.defineMetadata(key, value, handler);
  return handler;
}

/** `:x` stands for any segment; case and a final slash do not count. */
function layer(path: string, methods: readonly string[], handle: unknown): ExpressLayer {
  const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}/?$`, 'i');
  return {
    route: { path, methods: Object.fromEntries(methods.map((name) => [name, true])), stack: [{ handle }] },
    match(target) {
      const match = pattern.exec(target);
      for (const value of match?.slice(1) ?? []) decodeURIComponent(value);
      return match !== null;
    },
  };
}

function routes(...layers: readonly ExpressLayer[]): ExpressRoutes {
  const found = new ExpressRoutes(ENDPOINT_ROUTE);
  found.settle(layers);
  return found;
}

function request(method: string, url: string): IncomingMessage {
  const [path] = url.split('?');
  return { method, url, path } as unknown as IncomingMessage;
}

const own = layer('/mcp', EVERY, marked(MARK));

describe('ExpressRoutes', () => {
  it.each([
    ['POST', '/mcp', true],
    ['POST', '/mcp?x', true],
    ['GET', '/mcp', true],
    ['PURGE', '/MCP/', true],
    ['POST', '/mcp/x', false],
    ['POST', '//mcp', false],
  ])('gives %s %s to the endpoint: %s', (method, url, leads) => {
    expect(routes({ match: () => true }, own).leadHere(request(method, url))).toBe(leads);
  });

  it('leaves requests of earlier routes of controllers to them, and no others', () => {
    const found = routes(layer('/:page', ['get'], ofController()), layer('/mcp', EVERY, middleware()), own);
    const asked = ['GET', 'HEAD', 'POST', 'DELETE'].map((method) => found.leadHere(request(method, '/mcp')));
    expect(asked).toEqual([false, false, true, true]);
  });

  it('leaves paths that cannot be decoded to the router', () => {
    const found = routes(layer('/:tenant/mcp', EVERY, marked(MARK)));
    expect([found.leadHere(request('GET', '/a/mcp')), found.leadHere(request('GET', '/%ff/mcp'))]).toEqual([
      true,
      false,
    ]);
  });

  it('leaves invalid targets to the router', () => {
    const broken = {
      method: 'GET',
      url: 'http://[',
      get path(): string {
        throw new TypeError('Invalid URL');
      },
    };
    expect(routes(own).leadHere(broken as unknown as IncomingMessage)).toBe(false);
  });

  it('finds the endpoint by its path where no mark is left, and without any routes', () => {
    for (const layers of [[layer('/mcp', ['_all'], middleware())], [layer('/mcp', EVERY, middleware())], []]) {
      expect(routes(...layers).leadHere(request('GET', '/mcp?x'))).toBe(true);
      expect(routes(...layers).leadHere(request('GET', '/other'))).toBe(false);
    }
  });

  it('returns the registered paths', () => {
    expect(new ExpressRoutes(ENDPOINT_ROUTE).settle([layer('/a/mcp', EVERY, marked(MARK))])).toEqual(['/a/mcp']);
    expect(new ExpressRoutes(ENDPOINT_ROUTE).settle([])).toEqual(['/mcp']);
  });

  it.each([
    [
      'takes POST first',
      [layer('/:page', ['post'], ofController()), own],
      /POST \/:page.*takes requests of the endpoint/,
    ],
    ['takes all first', [layer('/mcp', EVERY, ofController()), own], /ALL \/mcp.*takes requests of the endpoint/],
    ['gets nothing', [own, layer('/MCP', ['get'], ofController())], /GET \/MCP.*takes all requests of that route/],
    ['ends requests', [own, layer('/mcp', ['get'], (_a: unknown, _b: unknown) => undefined)], /GET \/mcp/],
    ['is another server', [own, layer('/mcp', EVERY, withBoth({}))], /two MCP servers of this app answer at \/mcp/],
  ])('refuses a route that %s', (_name, layers, message) => {
    expect(() => routes(...layers)).toThrow(message);
  });

  it.each([
    ['takes other methods first', [layer('/mcp', ['get'], ofController()), own]],
    ['takes other paths as well', [own, layer('/:page', EVERY, ofController())]],
    ['may pass requests on', [layer('/mcp', EVERY, middleware()), own, layer('/mcp', EVERY, () => undefined)]],
    ['has no path of one text', [{ ...own, route: { path: /x/, methods: {}, stack: [] } }, own]],
  ])('accepts a route that %s', (_name, layers) => {
    expect(() => routes(...layers)).not.toThrow();
  });
});

/** As Nest copies everything that is known of a method. */
function withBoth(mark: unknown): Handler {
  const handler = marked(mark);
  Reflect.defineMetadata('path', '/', handler);
  return handler;
}
