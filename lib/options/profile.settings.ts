import type { ProfileOptions } from '../dispatch/registry.profile.js';
import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import type { Implementation } from '../model/peer.js';
import type { McpModuleOptions } from './mcp-options.interface.js';
import { refuseUnknown, requireFields, requireHint, requireIcons } from './option-rules.js';

/** What a server says of itself. */
export function readProfile(options: McpModuleOptions): ProfileOptions {
  const { name, version, title, description, websiteUrl, icons, instructions, cache = {} } = options;
  for (const [option, value] of Object.entries({ name, version })) {
    if (typeof value !== 'string' || value === '')
      throw new InvalidOptionsError(option, 'it must be a string that is not empty.');
  }
  for (const [option, value] of Object.entries({ title, description, websiteUrl, instructions })) {
    if (value !== undefined && typeof value !== 'string') throw new InvalidOptionsError(option, 'it must be a string.');
  }
  requireIcons(icons);
  requireFields(cache, 'cache');
  refuseUnknown(cache, 'cache');
  for (const [subject, hint] of Object.entries(cache)) requireHint(hint, `cache.${subject}`);
  const identity = withoutAbsent({ name, version, title, description, websiteUrl, icons }) as unknown as Implementation;
  const subscriptions = options.subscriptions !== false;
  return { identity, cache, subscriptions, ...(instructions === undefined ? {} : { instructions }) };
}

function withoutAbsent(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
