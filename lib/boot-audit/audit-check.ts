import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';

import type { McpSettings } from '../options/settings.js';
import type { ListedComponent } from '../registry/registered-component.js';

/** What the checks may look at when a server has started. */
export interface AuditedServer {
  readonly settings: McpSettings;
  /** Whether the app's HTTP server reaches it. */
  readonly isReachable: boolean;
  readonly components: readonly ListedComponent[];
  /** Which scope the cacheable results of a kind really carry. */
  readonly sentScope: (subject: keyof McpSettings['profile']['cache']) => 'public' | 'private';
  readonly modules: ModulesContainer;
  readonly config: ApplicationConfig;
}

/** One risk and its cure, in one line. */
export interface Finding {
  /** Stable name of the check. */
  readonly check: string;
  readonly text: string;
}

/** Looks for one risk; an empty list says that it is not there. */
export interface AuditCheck {
  readonly name: string;
  /** A sentence for each risk, and a sentence with its cure. */
  readonly inspect: (server: AuditedServer) => readonly string[];
}
