import type { CompletionOptions } from '../../decorators/component-metadata.js';
import { InvalidComponentError } from '../../errors/invalid-component.error.js';
import type { CompletionTarget } from '../../model/operation.js';
import { narrowTexts } from '../parameter-plan.js';
import type { CompletionComponent, ComponentHost } from '../registered-component.js';
import { refuseUnknownOptions } from './component-names.js';

const OPTIONS = ['prompt', 'resource', 'argument', 'server'];

export function buildCompletion(options: CompletionOptions, host: ComponentHost): CompletionComponent {
  const { owner } = host;
  refuseUnknownOptions(options, OPTIONS, owner);
  if ((options.prompt === undefined) === (options.resource === undefined)) {
    throw new InvalidComponentError(owner, 'say what it completes: either "prompt" or "resource".');
  }
  if (typeof options.argument !== 'string' || options.argument === '') {
    throw new InvalidComponentError(owner, 'the option "argument" is missing.');
  }
  const target: CompletionTarget =
    options.prompt === undefined
      ? { kind: 'template', uri: options.resource }
      : { kind: 'prompt', name: options.prompt };
  // A method that asks for a string gets what was typed; the rest of the query is context.
  const parameters = narrowTexts(host.parameters, 'value');
  return { kind: 'completion', options, target, argument: options.argument, host: { ...host, parameters } };
}
