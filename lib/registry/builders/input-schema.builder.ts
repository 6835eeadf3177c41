import { InvalidComponentError } from '../../errors/invalid-component.error.js';
import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import type { ComponentSchema, SchemaDirection } from '../../schema/component-schema.js';
import { NO_ARGUMENTS, type SchemaResolver } from '../../schema/schema.resolver.js';
import type { ParameterPlan } from '../parameter-plan.js';

const BUILT_IN = new Set<unknown>([
  Object,
  String,
  Number,
  Boolean,
  Array,
  Promise,
  Function,
  Symbol,
  BigInt,
  Date,
  Map,
]);

/** The schema of the option `input`, or the DTO class of the parameter. */
export function inputSource(input: unknown, parameters: ParameterPlan, owner: string): unknown {
  if (input !== undefined) return input;
  if (!parameters.takesArguments) return NO_ARGUMENTS;
  const type = parameters.argumentsType;
  if (typeof type === 'function' && !BUILT_IN.has(type)) return type;
  throw new InvalidComponentError(
    owner,
    parameters.takesNamedArgument
      ? 'its parameters take arguments by name, but no schema defines them. Pass `input`.'
      : 'the type of its arguments is unknown at run time. Pass `input`, or declare a DTO class and use it as the type (not with `import type`).',
  );
}

/** DTO class of a parameter whose schema is optional, such as a template's variables. */
export function declaredClass(parameters: ParameterPlan): unknown {
  const type = parameters.argumentsType;
  return typeof type === 'function' && !BUILT_IN.has(type) ? type : undefined;
}

/** Resolves a schema; errors name the component. */
export async function resolveSchema(
  resolver: SchemaResolver,
  source: unknown,
  direction: SchemaDirection,
  owner: string,
): Promise<ComponentSchema> {
  try {
    return await resolver.resolve(source, direction);
  } catch (error) {
    if (error instanceof UnsupportedSchemaError) {
      throw new InvalidComponentError(owner, `its ${direction} schema cannot be used: ${error.message}`);
    }
    throw error;
  }
}
