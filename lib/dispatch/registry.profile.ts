import { LISTS, type ComponentKind } from '../model/component.js';
import type { CacheHint, CacheSubject } from '../model/outcome.js';
import type { Implementation } from '../model/peer.js';
import { ServerProfile } from '../model/server-profile.js';
import type { ComponentRegistry } from '../registry/component.registry.js';
import type { ListViews } from './access/list.views.js';

/** Kinds of component that a read result depends on. */
const READ: readonly ComponentKind[] = ['resource', 'template'];

/** Cache hints per result; a result that is left out is private and not cached. */
export type CacheOptions = { readonly [S in CacheSubject]?: Partial<CacheHint> };

/** Options that describe a server. */
export interface ProfileOptions {
  readonly identity: Implementation;
  readonly instructions?: string;
  readonly cache: CacheOptions;
  /** Whether clients can subscribe to changes. */
  readonly subscriptions: boolean;
}

/** Derives the capabilities from the registered components, so that only existing ones are advertised. */
export class RegistryProfile extends ServerProfile {
  readonly identity: Implementation;
  readonly instructions: string | undefined;
  readonly subscriptions: boolean;
  private readonly hints: CacheOptions;
  private offered: Readonly<Record<string, unknown>> | undefined;

  constructor(
    options: ProfileOptions,
    private readonly registry: ComponentRegistry,
    private readonly views: ListViews,
  ) {
    super();
    this.identity = options.identity;
    this.instructions = options.instructions;
    this.hints = options.cache;
    this.subscriptions = options.subscriptions;
  }

  /** Cached until the components change, since every request reads the capabilities. */
  get capabilities(): Readonly<Record<string, unknown>> {
    this.offered ??= Object.freeze(capabilitiesOf(this.registry, this.subscriptions));
    return this.offered;
  }

  /** Called when components were added or removed. */
  refresh(): void {
    this.offered = undefined;
  }

  /** Returns a private hint for results that not every caller may see, regardless of the options. */
  cacheHint(subject: CacheSubject): CacheHint {
    const hint: CacheHint = { ttlMs: 0, scope: 'private', ...this.hints[subject] };
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

function capabilitiesOf(registry: ComponentRegistry, subscriptions: boolean): Record<string, unknown> {
  const components = registry.all();
  const kinds = new Set(components.map((component) => component.kind));
  const completes = kinds.has('completion') || components.some((component) => 'choices' in component);
  const listed = subscriptions ? { listChanged: true } : {};
  const watched = subscriptions ? { listChanged: true, subscribe: true } : {};
  return {
    ...(kinds.has('tool') ? { tools: listed } : {}),
    ...(kinds.has('resource') || kinds.has('template') ? { resources: watched } : {}),
    ...(kinds.has('prompt') ? { prompts: listed } : {}),
    ...(completes ? { completions: {} } : {}),
    logging: {},
  };
}
