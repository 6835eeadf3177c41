import { Injectable } from '@nestjs/common';

import type { ComponentMetadata } from '../decorators/component-metadata.js';
import { COMPONENT_METADATA } from '../mcp.constants.js';

/** The only reader of what the decorators left on methods. */
@Injectable()
export class ComponentMetadataAccessor {
  read(method: unknown): readonly ComponentMetadata[] {
    // reflect-metadata throws on primitives.
    if (typeof method !== 'function') return [];
    return (Reflect.getOwnMetadata(COMPONENT_METADATA, method) ?? []) as readonly ComponentMetadata[];
  }
}
