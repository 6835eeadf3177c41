import type { ToolOptions } from '../../decorators/component-metadata.js';
import { InvalidComponentError } from '../../errors/invalid-component.error.js';
import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import { findToolAnnotationFault } from '../../model/annotation.rules.js';
import type { ToolDefinition } from '../../model/component.js';
import { readHeaderMarks, type HeaderMark } from '../../schema/header-marks.js';
import type { SchemaResolver } from '../../schema/schema.resolver.js';
import type { ComponentHost, ToolComponent } from '../registered-component.js';
import { COMMON_OPTIONS, present, refuseFault, refuseUnknownOptions } from './component-names.js';
import { buildDescribed } from './described.builder.js';
import { inputSource, resolveSchema } from './input-schema.builder.js';

const OPTIONS = [...COMMON_OPTIONS, 'input', 'output', 'annotations'];

export async function buildTool(
  options: ToolOptions,
  host: ComponentHost,
  resolver: SchemaResolver,
): Promise<ToolComponent> {
  const { owner } = host;
  refuseUnknownOptions(options, OPTIONS, owner);
  refuseFault(options.annotations, { option: 'annotations', owner }, findToolAnnotationFault);
  const described = buildDescribed(options, host.method, owner);
  const input = await resolveSchema(resolver, inputSource(options.input, host.parameters, owner), 'input', owner);
  const output =
    options.output === undefined ? undefined : await resolveSchema(resolver, options.output, 'output', owner);
  const headerMarks = headerMarksOf(input.json, owner);
  const definition = present<ToolDefinition>({
    ...described,
    inputSchema: input.json,
    outputSchema: output?.json,
    annotations: options.annotations,
  });
  return present<ToolComponent>({ kind: 'tool', options, definition, host, input, output, headerMarks });
}

function headerMarksOf(json: ToolDefinition['inputSchema'], owner: string): readonly HeaderMark[] | undefined {
  try {
    const marks = readHeaderMarks(json);
    return marks.length === 0 ? undefined : marks;
  } catch (error) {
    if (error instanceof UnsupportedSchemaError) throw new InvalidComponentError(owner, error.message);
    throw error;
  }
}
