import { describe, expect, it } from '@jest/globals';

import { StandInRequest } from '../../../../lib/transports/in-process/stand-in-request.js';
import { StandInResponse } from '../../../../lib/transports/in-process/stand-in-response.js';

describe('the request that stands in', () => {
  it('has what guards of Express and Fastify look for', () => {
    const request = new StandInRequest({ headers: { 'X-Tenant': 'acme' }, properties: { user: { id: 1 } } });
    expect(request).toMatchObject({
      method: 'POST',
      url: '/',
      path: '/',
      ip: '127.0.0.1',
      query: {},
      params: {},
      user: { id: 1 },
    });
    expect(request.headers).toEqual({ 'x-tenant': 'acme' });
    expect([request.get('X-TENANT'), request.header('x-tenant'), request.get('toString')]).toEqual([
      'acme',
      'acme',
      undefined,
    ]);
    expect(request.raw).toBe(request);
    expect(request.socket.remoteAddress).toBe('127.0.0.1');
  });

  it('has a path and an address', () => {
    const place = { url: '/mcp?x=1', path: '/mcp', query: { x: '1' }, protocol: 'https', hostname: 'a.example.com' };
    const request = new StandInRequest({ headers: {}, properties: {} }, { ...place, address: '1.2.3.4' });
    expect(request).toMatchObject({ ...place, originalUrl: '/mcp?x=1', ip: '1.2.3.4' });
    expect([request.socket, request.connection]).toEqual([
      { remoteAddress: '1.2.3.4', encrypted: true },
      { remoteAddress: '1.2.3.4', encrypted: true },
    ]);
    const unknown = new StandInRequest({ headers: {}, properties: {} }, { ...place, address: undefined });
    expect([unknown.ip, unknown.socket.remoteAddress]).toEqual([undefined, undefined]);
  });
});

describe('the response that stands in', () => {
  it('stores headers in every form in which they can be set', () => {
    const response = new StandInResponse();
    response.setHeader('A', 1).header('b', '2').set({ C: '3' }).headers({ d: '4' }).append('a', '5').vary('e');
    response.setHeaders(new Map([['f', '6']]));
    expect(response.getHeaders()).toEqual({ a: ['1', '5'], b: '2', c: '3', d: '4', vary: 'e', f: '6' });
    expect(response.getHeaderNames()).toContain('c');
    response.removeHeader('C');
    expect([response.hasHeader('c'), response.get('B'), response.getHeader('B')]).toEqual([false, '2', '2']);
  });

  it('answers nothing, and can be chained', () => {
    const response = new StandInResponse();
    const chained = response
      .status()
      .code()
      .type()
      .cookie()
      .setCookie()
      .clearCookie()
      .links()
      .send()
      .json()
      .redirect()
      .end();
    expect(chained).toBe(response);
    expect([response.write(), response.headersSent, response.statusCode, response.raw]).toEqual([
      true,
      false,
      200,
      response,
    ]);
    expect(response.location('/x').getHeader('location')).toBe('/x');
    expect(response.header('x').hasHeader('x')).toBe(false);
  });
});
