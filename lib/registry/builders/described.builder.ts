import type { ComponentOptions } from '../../decorators/component-metadata.js';
import { InvalidComponentError } from '../../errors/invalid-component.error.js';
import { findIconFault } from '../../model/icon.rules.js';
import { findMetaFault } from '../../model/meta.rules.js';
import { findTitleFault } from '../../model/metadata-fault.js';
import type { Described } from '../../model/component.js';
import { isFields } from '../../model/fields.js';
import { NotJsonError, toJsonValue } from '../../schema/json-value.js';
import { writePath } from '../../schema/schema-issues.js';
import { nameOf, present, refuseFault, requireText, requireTimeout } from './component-names.js';

/** Builds the part of a definition that all kinds have in common. */
export function buildDescribed(options: ComponentOptions, method: string, owner: string): Described {
  const { title, icons, meta } = options;
  refuseFault(title, { option: 'title', owner }, findTitleFault);
  requireText(options.description, 'description', owner);
  refuseFault(meta, { option: 'meta', owner }, findMetaFault);
  refuseFault(icons, { option: 'icons', owner }, findIconFault);
  requireTimeout(options.timeoutMs, owner);
  return present<Described>({
    name: nameOf(options.name, method, owner),
    title,
    description: options.description,
    icons,
    _meta: meta && jsonOf(meta, owner),
  });
}

/** Copies `_meta` as JSON, since a value that JSON cannot encode, even one that is set later, would break every list. */
function jsonOf(meta: Readonly<Record<string, unknown>>, owner: string): Readonly<Record<string, unknown>> {
  try {
    const json = toJsonValue(meta);
    if (isFields(json)) return json;
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
    throw new InvalidComponentError(owner, `the option "meta": "${writePath(error.path)}" ${error.message}.`);
  }
  throw new InvalidComponentError(owner, 'the option "meta": it must be a plain object.');
}
