import { describe, expect, it } from '@jest/globals';

import { findHostProblem, HostList } from '../../../lib/admission/host-list.js';

describe('HostList', () => {
  it.each([
    ['loopback', 'http://localhost', true],
    ['loopback', 'https://127.0.0.1:8443', true],
    ['loopback', 'http://[::1]', true],
    ['loopback', 'HTTP://LocalHost:1', true],
    ['loopback', 'http://localhost.', false],
    ['loopback', 'http://127.0.0.1.evil.example', false],
    ['loopback', 'http://evil.example#localhost', false],
    ['loopback', 'http://evil.example\\@localhost', false],
    ['loopback', 'http://localhost:', false],
    ['loopback', 'http://localhost:123456', false],
    ['loopback', ' http://localhost', false],
    ['loopback', 'http://localhost, http://localhost', false],
    ['loopback', 'null', false],
    ['loopback', 'ws://localhost', false],
    ['Example.COM', 'https://example.com', true],
    ['example.com', 'https://sub.example.com', false],
    ['example.com:443', 'https://example.com', true],
    ['example.com:443', 'http://example.com', false],
    ['http://example.com', 'http://example.com:80', true],
    ['http://example.com:8080', 'http://example.com:8080', true],
    ['http://example.com:8080', 'http://example.com', false],
    ['*', 'https://any.example:1', true],
    ['*', 'file://x', false],
  ])('%s allows the origin %s: %s', (entry, origin, expected) => {
    expect(new HostList([entry]).hasOrigin(origin)).toBe(expected);
  });

  it.each([
    ['loopback', 'LOCALHOST:4000', true],
    ['loopback', '[::1]:4000', true],
    ['loopback', '[::1', false],
    ['loopback', '', false],
    ['loopback', 'localhost:4000:1', false],
    ['loopback', 'http://localhost', false],
    ['example.com', 'example.com', true],
    ['example.com:8443', 'example.com:8443', true],
    ['example.com:8443', 'example.com', false],
    ['example.com:443', 'example.com', true],
    ['example.com:80', 'example.com', true],
    ['https://example.com', 'example.com', true],
    ['https://example.com', 'EXAMPLE.com:443', true],
    ['https://example.com', 'example.com:80', false],
    ['https://example.com', 'example.com:8443', false],
    ['https://example.com', 'other.example', false],
    ['http://example.com', 'example.com', true],
    ['http://example.com', 'example.com:80', true],
    ['http://example.com', 'example.com:443', false],
    ['https://example.com:443', 'example.com', true],
    ['https://example.com:80', 'example.com', false],
    ['https://example.com:8443', 'example.com:8443', true],
    ['https://example.com:8443', 'example.com', false],
    ['http://[::1]:3000', '[::1]:3000', true],
    ['*', 'any.example', true],
    ['*', 'a b', false],
  ])('%s allows the host %s: %s', (entry, host, expected) => {
    expect(new HostList([entry]).hasHost(host)).toBe(expected);
  });

  it('allows no origin and no host without entries', () => {
    const list = new HostList([]);
    expect([list.hasOrigin('http://localhost'), list.hasHost('localhost')]).toEqual([false, false]);
  });
});

describe('findHostProblem', () => {
  it.each(['*', 'loopback', 'example.com', 'example.com:1', '[::1]:80', 'https://example.com', 'http://[::1]:3000'])(
    'accepts %s',
    (entry) => {
      expect(findHostProblem(entry)).toBeUndefined();
    },
  );

  it.each([
    '',
    'a b',
    'https://',
    'ftp://example.com',
    'example.com/path',
    'user@example.com',
    'https://example.com/',
    '*.example.com:x',
    7,
    null,
  ])('refuses %p', (entry) => {
    expect(findHostProblem(entry)).toEqual(expect.any(String));
  });
});
