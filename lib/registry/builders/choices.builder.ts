import type { CompletionOptions } from '../../decorators/component-metadata.js';
import type { CompletionTarget } from '../../model/operation.js';
import type { JsonSchema } from '../../model/json-schema.js';
import { readChoices } from '../../schema/schema-choices.js';
import { FUNCTION_PARAMETERS } from '../parameter-plan.js';
import type { CompletionComponent, ComponentHost } from '../registered-component.js';

const METHOD = 'complete';

/** Suggests those of a list that begin with what was typed, in whatever case. */
class ListedChoices {
  constructor(private readonly values: readonly string[]) {}

  [METHOD]({ value }: { readonly value: string }): readonly string[] {
    const typed = value.toLowerCase();
    return this.values.filter((choice) => choice.toLowerCase().startsWith(typed));
  }
}

/**
 * Completions of arguments whose schema lists what they may be. They are components like those that were declared, so
 * global guards and interceptors run around them too. Nothing where there are none.
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

/** In the module of the component, but without its enhancers: they are asked beforehand, as for any completion. */
function hostOf(
  carrier: ListedChoices,
  { wrapper, module, moduleKey, collection, owner }: ComponentHost,
): ComponentHost {
  const place = { wrapper, module, moduleKey, collection };
  return { ...place, prototype: carrier, method: METHOD, owner, parameters: FUNCTION_PARAMETERS, carrier };
}
