import { type ResourceOptions, recordComponent } from './component-metadata.js';

/**
 * Offers a method as a resource, or as a resource template if its `uri` contains a `{`.
 *
 * @example
 * ```ts
 * @Resource({ uri: 'people://{name}/profile', mimeType: 'application/json' })
 * profile({ name }: { name: string }) { return { name }; }
 * ```
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 * @publicApi
 */
export function Resource(options: ResourceOptions): MethodDecorator {
  return (_target, _key, descriptor: PropertyDescriptor) => {
    recordComponent(descriptor.value as object, { kind: 'resource', options });
  };
}
