import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { JSON_HEADERS, writeWhole } from '../../../../lib/transports/node-http/http-platform.js';

let server: Server;
let url: string;
let own: Readonly<Record<string, string>> = {};
let given: readonly [status: number, headers: Readonly<Record<string, string>>, body: string] = [200, {}, ''];

describe('whole answers', () => {
  beforeAll(async () => {
    server = createServer((_request, response) => {
      for (const [name, value] of Object.entries(own)) response.setHeader(name, value);
      writeWhole(response, ...given);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  describe('writeWhole', () => {
    const CHALLENGE = { 'content-type': 'application/json', 'www-authenticate': 'Bearer' };

    it.each<readonly [string, Readonly<Record<string, string>>, typeof given, Readonly<Record<string, string | null>>]>(
      [
        ['JSON', {}, [200, JSON_HEADERS, '{}'], { 'cache-control': 'no-store', 'content-length': '2' }],
        ['a challenge', {}, [401, CHALLENGE, '{}'], { 'cache-control': 'no-store', 'www-authenticate': 'Bearer' }],
        ['JSON of the app', { 'Cache-Control': 'private' }, [200, JSON_HEADERS, '{}'], { 'cache-control': 'private' }],
        [
          'a refusal of the app',
          { 'Cache-Control': 'private' },
          [401, CHALLENGE, '{}'],
          { 'cache-control': 'private' },
        ],
        ['a long text', {}, [200, JSON_HEADERS, `"${'é'.repeat(20_000)}"`], { 'content-length': '40002' }],
        ['no body', {}, [202, {}, ''], { 'cache-control': null, 'content-length': '0' }],
        ['no content', {}, [204, {}, ''], { 'cache-control': null, 'content-length': null }],
      ],
    )('writes %s with what it has to say about itself', async (_name, set, answer, expected) => {
      own = set;
      given = answer;
      const response = await fetch(url);
      expect([response.status, await response.text()]).toEqual([answer[0], answer[2]]);
      for (const [name, value] of Object.entries(expected)) {
        expect([name, response.headers.get(name)]).toEqual([name, value]);
      }
    });
  });
});
