import type { ComponentOptions } from '../../decorators/component-metadata.js';
import type { Described } from '../../model/component.js';
import { nameOf, present, requireFields, requireIcons, requireText, requireTimeout } from './component-names.js';

/** The part of a definition that all kinds have. */
export function buildDescribed(options: ComponentOptions, method: string, owner: string): Described {
  requireText(options.title, 'title', owner);
  requireText(options.description, 'description', owner);
  requireFields(options.meta, 'meta', owner);
  requireIcons(options.icons, owner);
  requireTimeout(options.timeoutMs, owner);
  return present<Described>({
    name: nameOf(options.name, method, owner),
    title: options.title,
    description: options.description,
    icons: options.icons,
    _meta: options.meta,
  });
}
