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
}

/** Capabilities follow from what is registered: nothing is promised that is not there. */
export class RegistryProfile extends ServerProfile {
  readonly identity: Implementation;
  readonly instructions: string | undefined;
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
  }

  /** Read after the registry is filled; the answer is kept, since every request asks. */
  get capabilities(): Readonly<Record<string, unknown>> {
    this.offered ??= Object.freeze(capabilitiesOf(this.registry));
    return this.offered;
  }

  cacheHint(subject: CacheSubject): CacheHint {
    return { ttlMs: 0, scope: 'private', ...this.hints[subject] };
  }
}

function capabilitiesOf(registry: ComponentRegistry): Record<string, unknown> {
  const kinds = new Set(registry.all().map((component) => component.kind));
  return {
    ...(kinds.has('tool') ? { tools: {} } : {}),
    ...(kinds.has('resource') || kinds.has('template') ? { resources: {} } : {}),
    ...(kinds.has('prompt') ? { prompts: {} } : {}),
    ...(kinds.has('completion') ? { completions: {} } : {}),
    logging: {},
  };
}
