import type { PromptOptions } from '../../decorators/component-metadata.js';
import { InvalidComponentError } from '../../errors/invalid-component.error.js';
import type { PromptArgument, PromptDefinition } from '../../model/component.js';
import type { JsonSchema } from '../../model/json-schema.js';
import type { SchemaResolver } from '../../schema/schema.resolver.js';
import type { ComponentHost, PromptComponent } from '../registered-component.js';
import { buildChoices } from './choices.builder.js';
import { COMMON_OPTIONS, present, refuseUnknownOptions } from './component-names.js';
import { buildDescribed } from './described.builder.js';
import { inputSource, resolveSchema } from './input-schema.builder.js';

const OPTIONS = [...COMMON_OPTIONS, 'input'];

export async function buildPrompt(
  options: PromptOptions,
  host: ComponentHost,
  resolver: SchemaResolver,
): Promise<PromptComponent> {
  const { owner } = host;
  refuseUnknownOptions(options, OPTIONS, owner);
  const input = await resolveSchema(resolver, inputSource(options.input, host.parameters, owner), 'input', owner);
  const described = buildDescribed(options, host.method, owner);
  const args = promptArguments(input.json, owner);
  const definition: PromptDefinition = args.length === 0 ? described : { ...described, arguments: args };
  const choices = buildChoices({ kind: 'prompt', name: described.name }, input.json, host);
  return present<PromptComponent>({ kind: 'prompt', options, definition, host, input, choices });
}

/** Prompt arguments are strings in the protocol, so each member must accept strings. */
function promptArguments(schema: JsonSchema, owner: string): readonly PromptArgument[] {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  return Object.entries(properties).map(([name, property]) => {
    if (!acceptsString(property)) {
      throw new InvalidComponentError(
        owner,
        `the argument "${name}" is not a string, but prompt arguments always are. Declare a string and parse it in the method.`,
      );
    }
    return present<PromptArgument>({
      name,
      title: property['title'] as string | undefined,
      description: property['description'] as string | undefined,
      required: required.has(name) ? true : undefined,
    });
  });
}

function acceptsString(property: JsonSchema): boolean {
  const type = property['type'];
  if (type !== undefined) return [type].flat().includes('string');
  const values = property['enum'] ?? (property['const'] === undefined ? undefined : [property['const']]);
  if (Array.isArray(values)) return values.some((value) => typeof value === 'string');
  const branches = (property['anyOf'] ?? property['oneOf']) as readonly JsonSchema[] | undefined;
  return branches === undefined || branches.some(acceptsString);
}
