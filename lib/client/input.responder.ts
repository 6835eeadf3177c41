import type {
  ElicitAnswer,
  ElicitUrlParams,
  UrlAnswer,
  Root,
  SampleAnswer,
  SampleParams,
  WireQuestion,
} from '../model/questions.js';
import type { JsonSchema } from '../model/json-schema.js';
import { MalformedAnswerError } from '../errors/client.errors.js';

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
 * Answers questions of a server during a call. Each handler is declared as a capability; a server that needs other
 * capabilities refuses the call.
 *
 * @publicApi
 */
export interface McpInputHandlers {
  elicit?: (form: McpForm) => ElicitAnswer | Promise<ElicitAnswer>;
  elicitUrl?: (page: ElicitUrlParams & { readonly key: string }) => UrlAnswer | Promise<UrlAnswer>;
  sample?: (params: SampleParams) => SampleAnswer | Promise<SampleAnswer>;
  roots?: () => readonly Root[] | Promise<readonly Root[]>;
}

/** Answers the questions of a server. */
export interface InputResponder {
  /** The supported questions, as client capabilities. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  respond(key: string, question: WireQuestion): unknown;
}

/** Answers with one handler for each kind of question. */
export class HandlerResponder implements InputResponder {
  constructor(private readonly handlers: McpInputHandlers) {}

  get capabilities(): Readonly<Record<string, unknown>> {
    const { elicit, elicitUrl, sample, roots } = this.handlers;
    const modes = { ...(elicit === undefined ? {} : { form: {} }), ...(elicitUrl === undefined ? {} : { url: {} }) };
    return {
      ...(Object.keys(modes).length === 0 ? {} : { elicitation: modes }),
      ...(sample === undefined ? {} : { sampling: { tools: {}, context: {} } }),
      ...(roots === undefined ? {} : { roots: {} }),
    };
  }

  async respond(key: string, { method, params }: WireQuestion): Promise<unknown> {
    const { elicit, elicitUrl, sample, roots } = this.handlers;
    switch (method) {
      case 'elicitation/create': {
        const { message = '', requestedSchema = {}, mode = 'form', url } = params;
        if (mode === 'url') return required(elicitUrl, method)({ ...({ message, url } as ElicitUrlParams), key });
        return required(elicit, method)({ key, message: String(message), schema: requestedSchema as JsonSchema });
      }
      case 'sampling/createMessage':
        return required(sample, method)(params as unknown as SampleParams);
      case 'roots/list':
        return { roots: await required(roots, method)() };
      default:
        return required<never>(undefined, String(method satisfies never));
    }
  }
}

function required<T>(handler: T | undefined, method: string): T {
  if (handler !== undefined) return handler;
  throw new MalformedAnswerError(`it asked for ${method}, which this client has not declared`);
}
