import { Injectable } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';

import type { ComponentMetadata } from '../decorators/component-metadata.js';
import { MCP_FEATURE, MCP_SCOPE, COMPONENT_METADATA } from '../mcp.constants.js';
import { hostOf, prototypeOf, type HostPlace } from './component-host.js';
import type { ComponentHost, HostModule } from './registered-component.js';
import { serversOf, type ServerScope } from './server-scope.js';

/** A decorated method, found on a provider or controller. */
export interface FoundComponent {
  readonly metadata: ComponentMetadata;
  readonly host: ComponentHost;
  readonly servers: readonly string[];
}

/** Reads the metadata that decorators store on methods; other code must not read it directly. */
@Injectable()
export class ComponentMetadataAccessor {
  read(method: unknown): readonly ComponentMetadata[] {
    // reflect-metadata throws on primitives.
    if (typeof method !== 'function') return [];
    return (Reflect.getOwnMetadata(COMPONENT_METADATA, method) ?? []) as readonly ComponentMetadata[];
  }
}

/** Finds the decorated methods of all providers and controllers of the app. */
@Injectable()
export class ComponentExplorer {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly scanner: MetadataScanner,
    private readonly accessor: ComponentMetadataAccessor,
  ) {}

  scopes(): readonly ServerScope[] {
    return [...this.modules.values()].flatMap((module) => {
      const scope = valueOf(module, MCP_SCOPE) as ServerScope | undefined;
      return scope === undefined ? [] : [scope];
    });
  }

  explore(): readonly FoundComponent[] {
    const scopes = this.scopes();
    const found: FoundComponent[] = [];
    for (const [moduleKey, module] of this.modules.entries()) {
      for (const collection of ['providers', 'controllers'] as const) {
        for (const wrapper of module[collection].values()) {
          if (wrapper.isAlias) continue;
          found.push(...this.exploreHost({ wrapper, module, moduleKey, collection }, scopes));
        }
      }
    }
    return found;
  }

  private exploreHost(place: HostPlace, scopes: readonly ServerScope[]): FoundComponent[] {
    const prototype = prototypeOf(place.wrapper);
    if (prototype === undefined) return [];
    return this.scanner.getAllMethodNames(prototype).flatMap((method) => {
      const all = this.accessor.read((prototype as Record<string, unknown>)[method]);
      if (all.length === 0) return [];
      const host = hostOf(place, prototype, method);
      return all.map((metadata) => ({
        metadata,
        host,
        servers: serversOf(
          {
            declared: metadata.options.server,
            feature: (valueOf(place.module, MCP_FEATURE) as { server: string } | undefined)?.server,
            module: place.module.metatype,
          },
          scopes,
        ),
      }));
    });
  }
}

function valueOf(module: HostModule, token: symbol): unknown {
  return module.providers.get(token)?.instance;
}
