import { describe, expect, it } from '@jest/globals';

import { addressKey } from '../../../lib/dispatch/caller-identity.js';

describe('the key of an address', () => {
  it.each([
    ['an IPv4 address', '1.2.3.4', '1.2.3.4'],
    ['the same within IPv6', '::ffff:1.2.3.4', '1.2.3.4'],
    ['the same in capitals', '::FFFF:1.2.3.4', '1.2.3.4'],
    ['the same in hex', '::ffff:102:304', '1.2.3.4'],
    ['the same in full', '0:0:0:0:0:ffff:0102:0304', '1.2.3.4'],
    ['the highest one', '::ffff:255.255.255.255', '255.255.255.255'],
    ['an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['another of its network', '2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
    ['another spelling', '2001:0DB8:0001:2::9', '2001:db8:1:2::/64'],
    ['one with a gap in its network', '2001:db8::1', '2001:db8:0:0::/64'],
    ['one that ends in a gap', '1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['one that begins with a gap', '::2:3:4:5:6:7:8', '0:2:3:4::/64'],
    ['one that ends like IPv4', '2001:db8:1:2:3:4:1.2.3.4', '2001:db8:1:2::/64'],
    ['almost a mapped one', '::fffe:1.2.3.4', '0:0:0:0::/64'],
    ['a mapped one of another network', '1::ffff:1.2.3.4', '1:0:0:0::/64'],
    ['this machine', '::1', '0:0:0:0::/64'],
    ['one with a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['what a host has in its place', 'unix:/run/app.sock', 'unix:/run/app.sock'],
  ])('of %s', (_what, address, key) => {
    expect(addressKey(address)).toBe(`\u0000address ${key}`);
  });

  it('tells networks apart', () => {
    expect(addressKey('2001:db8:1:2::1')).not.toBe(addressKey('2001:db8:1:3::1'));
  });

  it.each([
    ['nothing', ''],
    ['a long text', '1'.repeat(129)],
  ])('of %s is that of unknown callers', (_what, address) => {
    expect(addressKey(address)).toBe('\u0000unknown');
  });
});
