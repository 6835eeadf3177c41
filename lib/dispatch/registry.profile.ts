import type { CacheHint, CacheSubject } from '../model/outcome.js';
import type { Implementation } from '../model/peer.js';
import { ServerProfile } from '../model/server-profile.js';
import type { ComponentRegistry } from '../registry/component.registry.js';

/** Cache hints per result; what is left out is not cached and private. */
export type CacheOptions = { readonly [S in CacheSubject]?: Partial<CacheHint> };

/** What a server says of itself in its options. */
export interface ProfileOptions {
  readonly identity: Implementation;
  readonly instructions?: string;
  readonly cache: CacheOptions;
  /** Whether clients can listen for changes. */
  readonly subscriptions: boolean;
}

/** Capabilities follow from what is registered: nothing is promised that is not there. */
export class RegistryProfile extends ServerProfile {
  readonly identity: Implementation;
  readonly instructions: string | undefined;
  readonly subscriptions: boolean;
  private readonly hints: CacheOptions;
  private offered: Readonly<Record<string, unknown>> | undefined;

  constructor(
    options: ProfileOptions,
    private readonly registry: ComponentRegistry,
  ) {
    super();
    this.identity = options.identity;
    this.instructions = options.instructions;
    this.hints = options.cache;
    this.subscriptions = options.subscriptions;
  }

  /** The answer is kept until the components change, since every request asks. */
  get capabilities(): Readonly<Record<string, unknown>> {
    this.offered ??= Object.freeze(capabilitiesOf(this.registry, this.subscriptions));
    return this.offered;
  }

  /** Components came or went. */
  refresh(): void {
    this.offered = undefined;
  }

  cacheHint(subject: CacheSubject): CacheHint {
    return { ttlMs: 0, scope: 'private', ...this.hints[subject] };
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
