import { once } from 'node:events';
import { connect, createServer, type Http2ServerRequest } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';

import type { BodyReader } from '../../../../lib/transports/node-http/body.reader.js';
import { headOf, isMultiplexed } from '../../../../lib/transports/node-http/http-request.js';
import { HttpExchange } from '../../../../lib/transports/http/http.exchange.js';
import { NodePlatform } from '../../../../lib/transports/node-http/http-platform.js';

const endpoint = {
  platform: new NodePlatform(),
  bodies: {} as BodyReader,
  properties: { auth: 'mcpAuth', cancellationScope: 'mcpCancellationScope' },
};

const exchangeOf = (request: unknown, received = request): HttpExchange => {
  const raw = received as IncomingMessage;
  const head = headOf(raw, raw.headers);
  const notes = { head, isMultiplexed: isMultiplexed(raw), screened: true, prepared: undefined };
  return new HttpExchange(request, {}, raw, notes, endpoint);
};

const rawOf = (remoteAddress?: string): object => ({ socket: { remoteAddress }, headers: {}, rawHeaders: [] });

describe('the address of a request', () => {
  it.each<[string, unknown, object, unknown]>([
    ['what the framework says', { ip: '1.2.3.4' }, rawOf('5.6.7.8'), '1.2.3.4'],
    ['the other end of its connection', {}, rawOf('5.6.7.8'), '5.6.7.8'],
    ['the other end where the framework does not know', { ip: undefined }, rawOf('5.6.7.8'), '5.6.7.8'],
    ['unknown over a pipe', {}, rawOf(), undefined],
  ])('is %s', (_what, request, raw, address) => {
    expect(exchangeOf(request, raw).address).toBe(address);
  });

  it('is one connection for all requests of one HTTP/2 session', async () => {
    const seen: HttpExchange['connection'][] = [];
    const addresses: unknown[] = [];
    const server = createServer((request: Http2ServerRequest, response) => {
      const exchange = exchangeOf(request);
      seen.push(exchange.connection);
      addresses.push(exchange.address);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const sessions = [1, 2].map(() => connect(`http://127.0.0.1:${port}`));
    for (const session of [...sessions, ...sessions]) {
      const stream = session.request({ ':path': '/' });
      await once(stream.end().resume(), 'close');
    }
    for (const session of sessions) session.close();
    await new Promise((resolve) => server.close(resolve));
    expect(seen).toHaveLength(4);
    expect([seen[0] === seen[2], seen[1] === seen[3], seen[0] === seen[1]]).toEqual([true, true, false]);
    expect(addresses).toEqual(Array(4).fill('127.0.0.1'));
  });
});
