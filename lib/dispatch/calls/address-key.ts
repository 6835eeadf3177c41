import { networkOf } from '../../model/network-address.js';

/** Begins what stands for an address, and no name of a caller. */
export const KEY_MARK = '\u0000';

/** All callers of whom no address is known. */
export const NO_ADDRESS = `${KEY_MARK}unknown`;

/** Longer than any address, and than what else a host may put in its place. */
const MAX_LENGTH = 128;

/** One key for all addresses that one client can choose from. */
export function addressKey(address: string): string {
  return address === '' || address.length > MAX_LENGTH ? NO_ADDRESS : `${KEY_MARK}address ${networkOf(address)}`;
}
