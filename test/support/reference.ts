import type { WireMessage } from './wire-oracle.js';

/** What an internal error tells a client so that the log can be searched; fails where there is none. */
export function referenceOf({ error }: WireMessage): string {
  const reference: unknown = error.data?.['reference'];
  if (typeof reference !== 'string') throw new Error('The error has no reference.');
  return reference;
}
