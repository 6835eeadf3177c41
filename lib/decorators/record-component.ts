import { COMPONENT_METADATA } from '../mcp.constants.js';
import type { ComponentMetadata } from './component-metadata.js';

/** Records a frozen copy on the method; a method may carry several components. */
export function recordComponent(method: object, metadata: ComponentMetadata): void {
  const earlier = (Reflect.getOwnMetadata(COMPONENT_METADATA, method) ?? []) as readonly ComponentMetadata[];
  const copy = Object.freeze({ kind: metadata.kind, options: Object.freeze({ ...metadata.options }) });
  Reflect.defineMetadata(COMPONENT_METADATA, [copy as ComponentMetadata, ...earlier], method);
}
