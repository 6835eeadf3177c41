import { describe, expect, it } from '@jest/globals';

import { addressKey } from '../../../lib/dispatch/caller-identity.js';

describe('the key of an address', () => {
  it.each([
    ['an IPv4 address', '1.2.3.4', '1.2.3.4'],
    ['an IPv4 address mapped to IPv6', '::ffff:1.2.3.4', '1.2.3.4'],
    ['a mapped IPv4 address in upper case', '::FFFF:1.2.3.4', '1.2.3.4'],
    ['a mapped IPv4 address in hexadecimal form', '::ffff:102:304', '1.2.3.4'],
    ['a mapped IPv4 address in full form', '0:0:0:0:0:ffff:0102:0304', '1.2.3.4'],
    ['the highest IPv4 address', '::ffff:255.255.255.255', '255.255.255.255'],
    ['an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['another IPv6 address of the same network', '2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
    ['an IPv6 address with capitals and leading zeros', '2001:0DB8:0001:2::9', '2001:db8:1:2::/64'],
    ['an IPv6 address with a gap in the network part', '2001:db8::1', '2001:db8:0:0::/64'],
    ['an IPv6 address that ends with a gap', '1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['an IPv6 address that begins with a gap', '::2:3:4:5:6:7:8', '0:2:3:4::/64'],
    ['an IPv6 address that ends like IPv4', '2001:db8:1:2:3:4:1.2.3.4', '2001:db8:1:2::/64'],
    ['an address that is almost a mapped IPv4 address', '::fffe:1.2.3.4', '0:0:0:0::/64'],
    ['an address of another network that ends like a mapped IPv4 address', '1::ffff:1.2.3.4', '1:0:0:0::/64'],
    ['the loopback address', '::1', '0:0:0:0::/64'],
    ['an IPv6 address with a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['a value that is not an IP address', 'unix:/run/app.sock', 'unix:/run/app.sock'],
  ])('is built from %s', (_what, address, key) => {
    expect(addressKey(address)).toBe(`\u0000address ${key}`);
  });

  it('is different for different networks', () => {
    expect(addressKey('2001:db8:1:2::1')).not.toBe(addressKey('2001:db8:1:3::1'));
  });

  it.each([
    ['an empty address', ''],
    ['a long address', '1'.repeat(129)],
  ])('is the key of unknown callers for %s', (_what, address) => {
    expect(addressKey(address)).toBe('\u0000unknown');
  });
});
