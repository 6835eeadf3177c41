import { LISTS, type ComponentKind } from '../../model/component.js';
import type { CacheHint, CacheSubject } from '../../model/outcome.js';
import type { ComponentRegistry } from '../../registry/component.registry.js';
import { RegistryProfile, type ProfileOptions } from '../registry.profile.js';
import type { ListViews } from './list.views.js';

const READ: readonly ComponentKind[] = ['resource', 'template'];

/** Keeps shared caches from what not every caller may see, whatever the options say. */
export class AccessProfile extends RegistryProfile {
  constructor(
    options: ProfileOptions,
    registry: ComponentRegistry,
    private readonly views: ListViews,
  ) {
    super(options, registry);
  }

  override cacheHint(subject: CacheSubject): CacheHint {
    const hint = super.cacheHint(subject);
    return hint.scope === 'public' && this.isPersonal(subject) ? { ...hint, scope: 'private' } : hint;
  }

  private isPersonal(subject: CacheSubject): boolean {
    switch (subject) {
      case 'discover':
        return false;
      case 'read':
        return READ.some((kind) => this.views.isGuarded(kind));
      default:
        return this.views.isPersonal(LISTS[subject]);
    }
  }
}
