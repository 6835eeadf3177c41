import type { CompletionOptions } from '../../decorators/component-metadata.js';
import type { CompletionTarget } from '../../model/operation.js';
import type { JsonSchema } from '../../model/json-schema.js';
import { readChoices } from '../../schema/schema-choices.js';
import { FUNCTION_PARAMETERS } from '../parameter-plan.js';
import type { CompletionComponent, ComponentHost } from '../registered-component.js';

const METHOD = 'complete';

/** Suggests the values of a list that begin with the typed text, ignoring case. */
class ListedChoices {
  constructor(private readonly values: readonly string[]) {}

  [METHOD]({ value }: { readonly value: string }): readonly string[] {
    const typed = value.toLowerCase();
    return this.values.filter((choice) => choice.toLowerCase().startsWith(typed));
  }
}

/**
 * Creates completions for arguments whose schema lists their values. They are components like declared ones, so global
 * guards and interceptors run for them too. Returns `undefined` if there are none.
 */
export function buildChoices(
  target: CompletionTarget,
  json: JsonSchema,
  host: ComponentHost,
): ReadonlyMap<string, CompletionComponent> | undefined {
  const choices = new Map<string, CompletionComponent>();
  for (const [argument, values] of readChoices(json)) {
    choices.set(argument, {
      kind: 'completion',
      options: optionsOf(target, argument),
      target,
      argument,
      host: hostOf(new ListedChoices(values), host),
    });
  }
  return choices.size === 0 ? undefined : choices;
}

function optionsOf(target: CompletionTarget, argument: string): CompletionOptions {
  return target.kind === 'prompt' ? { prompt: target.name, argument } : { resource: target.uri, argument };
}

/** Uses the module of the component, but not its enhancers, which run before any completion of it. */
function hostOf(
  carrier: ListedChoices,
  { wrapper, module, moduleKey, collection, owner }: ComponentHost,
): ComponentHost {
  const place = { wrapper, module, moduleKey, collection };
  return { ...place, prototype: carrier, method: METHOD, owner, parameters: FUNCTION_PARAMETERS, carrier };
}
