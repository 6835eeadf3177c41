import type { ElicitAnswer, ElicitUrlParams, UrlAnswer, Root, SampleAnswer, SampleParams } from '../model/questions.js';
import type { JsonSchema } from '../model/json-schema.js';

/**
 * A form that a server wants the user to fill in.
 *
 * @publicApi
 */
export interface McpForm {
  /** Name of the question within its call. */
  readonly key: string;
  readonly message: string;
  readonly schema: JsonSchema;
}

/**
 * Answers what a server asks while it carries out a call. Whatever has a handler is declared as a capability; a server that
 * needs more refuses the call.
 *
 * @publicApi
 */
export interface McpInputHandlers {
  elicit?: (form: McpForm) => ElicitAnswer | Promise<ElicitAnswer>;
  elicitUrl?: (page: ElicitUrlParams & { readonly key: string }) => UrlAnswer | Promise<UrlAnswer>;
  sample?: (params: SampleParams) => SampleAnswer | Promise<SampleAnswer>;
  roots?: () => readonly Root[] | Promise<readonly Root[]>;
}
