import type { ResourceOptions } from '../../decorators/component-metadata.js';
import { InvalidComponentError } from '../../errors/invalid-component.error.js';
import { InvalidUriTemplateError } from '../../errors/invalid-uri-template.error.js';
import { findContentAnnotationFault } from '../../model/annotation.rules.js';
import type { ResourceDefinition, TemplateDefinition } from '../../model/component.js';
import type { SchemaResolver } from '../../schema/schema.resolver.js';
import { isAbsoluteUri } from '../../uri/canonical-uri.js';
import { UriTemplate } from '../../uri/uri-template.js';
import type { ComponentHost, ResourceComponent, TemplateComponent } from '../registered-component.js';
import { buildChoices } from './choices.builder.js';
import { COMMON_OPTIONS, present, refuseFault, refuseUnknownOptions, requireText } from './component-names.js';
import { buildDescribed } from './described.builder.js';
import { declaredClass, resolveSchema } from './input-schema.builder.js';

const OPTIONS = [...COMMON_OPTIONS, 'uri', 'mimeType', 'size', 'annotations'];

export async function buildResource(
  options: ResourceOptions,
  host: ComponentHost,
  resolver: SchemaResolver,
): Promise<ResourceComponent | TemplateComponent> {
  const { owner } = host;
  refuseUnknownOptions(options, OPTIONS, owner);
  refuseFault(options.annotations, { option: 'annotations', owner }, findContentAnnotationFault);
  requireText(options.mimeType, 'mimeType', owner);
  if (typeof options.uri !== 'string') {
    throw new InvalidComponentError(owner, 'the option "uri" is missing. Give the resource an absolute URI.');
  }
  return options.uri.includes('{') ? buildTemplate(options, host, resolver) : buildExact(options, host);
}

function buildExact(options: ResourceOptions, host: ComponentHost): ResourceComponent {
  const { owner } = host;
  if (!isAbsoluteUri(options.uri)) {
    throw new InvalidComponentError(
      owner,
      `"${options.uri}" is not an absolute URI. Start it with a scheme, as in "docs://readme", and percent-encode spaces.`,
    );
  }
  if (options.size !== undefined && (!Number.isSafeInteger(options.size) || options.size < 0)) {
    throw new InvalidComponentError(owner, 'the option "size" must be a number of bytes.');
  }
  const definition = present<ResourceDefinition>({
    uri: options.uri,
    ...buildDescribed(options, host.method, owner),
    mimeType: options.mimeType,
    size: options.size,
    annotations: options.annotations,
  });
  return { kind: 'resource', options, definition, host };
}

async function buildTemplate(
  options: ResourceOptions,
  host: ComponentHost,
  resolver: SchemaResolver,
): Promise<TemplateComponent> {
  const { owner } = host;
  if (options.size !== undefined) {
    throw new InvalidComponentError(owner, 'a template has no "size". Leave it out.');
  }
  const template = parseTemplate(options.uri, owner);
  const dto = declaredClass(host.parameters);
  const input = dto === undefined ? undefined : await resolveSchema(resolver, dto, 'input', owner);
  const definition = present<TemplateDefinition>({
    uriTemplate: options.uri,
    ...buildDescribed(options, host.method, owner),
    mimeType: options.mimeType,
    annotations: options.annotations,
  });
  const choices = input && buildChoices({ kind: 'template', uri: options.uri }, input.json, host);
  return present<TemplateComponent>({ kind: 'template', options, definition, host, template, input, choices });
}

function parseTemplate(source: string, owner: string): UriTemplate {
  try {
    return UriTemplate.parse(source);
  } catch (error) {
    if (error instanceof InvalidUriTemplateError) throw new InvalidComponentError(owner, error.message);
    throw error;
  }
}
