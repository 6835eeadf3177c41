import type { Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';

import { AccessControl } from './dispatch/access/access.control.js';
import { AccessRules, PolicyGate, type PolicySource } from './dispatch/access/access.rules.js';
import { ListGuards } from './dispatch/access/list.guards.js';
import { ListViews } from './dispatch/access/list.views.js';
import { FaultMapper } from './dispatch/fault.mapper.js';
import { McpPolicy } from './dispatch/access/mcp-policy.js';
import { LazyEnhancer, type Bound } from './enhancers/lazy.enhancer.js';
import { InvalidOptionsError } from './errors/invalid-options.error.js';
import { MCP_SETTINGS } from './mcp.constants.js';
import type { McpSettings } from './options/settings.js';
import { ComponentRegistry } from './registry/component.registry.js';

/** The providers that decide which caller may see and use which component. */
export const accessProviders: readonly Provider[] = [
  AccessRules,
  ListGuards,
  {
    provide: PolicyGate,
    useFactory: (slices: McpSettings, moduleRef: ModuleRef) =>
      new PolicyGate(openPolicySource(slices, moduleRef), slices.access),
    inject: [MCP_SETTINGS, ModuleRef],
  },
  ListViews,
  {
    provide: AccessControl,
    useFactory: createAccessControl,
    inject: [MCP_SETTINGS, ComponentRegistry, AccessRules, ListGuards, PolicyGate, FaultMapper],
  },
];

function openPolicySource({ access: { policy } }: McpSettings, moduleRef: ModuleRef): PolicySource {
  const refuse = (reason: string): Error => new InvalidOptionsError('auth.policy', reason);
  const lazy = new LazyEnhancer<McpPolicy>((policy ?? McpPolicy) as Bound<McpPolicy>, moduleRef, refuse);
  return {
    async resolve() {
      await lazy.resolve();
      // No policy is configured, and the app does not provide one.
      if (policy === undefined && lazy.isMade) return false;
      if (!lazy.isScoped && typeof (lazy.peek() as Partial<McpPolicy>).decide !== 'function') {
        throw refuse('it has no method decide(). Extend McpPolicy.');
      }
      return true;
    },
    of: (request) => lazy.of(request),
  };
}

function createAccessControl(
  slices: McpSettings,
  components: ComponentRegistry,
  ...rest: [AccessRules, ListGuards, PolicyGate, FaultMapper]
): AccessControl {
  return new AccessControl(components, ...rest, slices.access);
}
