import { isIPv6 } from 'node:net';

import type { ListenerOptions } from './listener-options.interface.js';

/** Addresses that stand for every one of the machine, and how to reach them on it. */
const ANY: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** What clients on this machine are given. */
export function urlOf({ host, path, https }: Pick<ListenerOptions, 'host' | 'path' | 'https'>, port: number): string {
  const reached = ANY.get(host) ?? host;
  const name = isIPv6(reached) ? `[${reached}]` : reached;
  return `${https === undefined ? 'http' : 'https'}://${name}:${port}${path}`;
}
