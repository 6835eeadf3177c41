import { isIPv6 } from 'node:net';

const GROUPS = 8;
/** Groups of an IPv6 address that name its network; one peer can use all addresses of a network. */
const NETWORK_GROUPS = 4;

/** Identifies a peer by its IPv4 address, in one spelling, or by the /64 network of its IPv6 address. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1);
  return isIPv6(plain) ? clientOf(groupsOf(plain)) : address;
}

function clientOf(groups: readonly number[]): string {
  const [high = 0, low = 0] = groups.slice(-2);
  const isMapped =
    groups[NETWORK_GROUPS + 1] === 0xffff && groups.slice(0, NETWORK_GROUPS + 1).every((part) => part === 0);
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  const network = groups.slice(0, NETWORK_GROUPS).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

function groupsOf(address: string): readonly number[] {
  const text = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_quad, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = [], tail = []] = text.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: GROUPS - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].map((part) => Number.parseInt(part, 16));
}
