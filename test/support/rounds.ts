import type { RequestParts } from './mcp-request.js';
import type { Answer, ServedApp } from './served-app.js';

/** Everything that a client can be asked. */
export const ALL_CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
} as const;

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

export interface Question {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What a server asked, and what the client has to give back. */
export interface Round {
  readonly answer: Answer;
  readonly questions: Readonly<Record<string, Question>>;
  readonly state: string;
}

export interface Reply {
  readonly responses?: Readonly<Record<string, unknown>>;
  readonly state?: unknown;
}

/** A client that repeats one request until it has its result. */
export class RoundClient {
  constructor(
    private readonly app: ServedApp,
    private readonly method: string,
    private readonly params: Readonly<Record<string, unknown>>,
    private readonly parts: RequestParts & { readonly capabilities?: object } = {},
  ) {}

  static tool(
    app: ServedApp,
    name: string,
    args: object = {},
    parts?: RequestParts & { readonly capabilities?: object },
  ): RoundClient {
    return new RoundClient(app, 'tools/call', { name, arguments: args }, parts);
  }

  /** Sends the request, or repeats it with answers. */
  send({ responses, state }: Reply = {}): Promise<Answer> {
    const { capabilities = ALL_CAPABILITIES, meta, ...parts } = this.parts;
    const params = {
      ...this.params,
      ...(responses === undefined ? {} : { inputResponses: responses }),
      ...(state === undefined ? {} : { requestState: state }),
    };
    return this.app.send(this.method, params, { ...parts, meta: { ...meta, [CAPABILITIES]: capabilities } });
  }

  /** @throws when the server asks nothing. */
  async round(reply?: Reply): Promise<Round> {
    const answer = await this.send(reply);
    const result = answer.message.result as unknown as Readonly<Record<string, unknown>> | undefined;
    if (result?.['resultType'] !== 'input_required') throw new Error(`Nothing was asked: ${answer.text}`);
    return {
      answer,
      questions: (result['inputRequests'] ?? {}) as Round['questions'],
      state: result['requestState'] as string,
    };
  }
}

export const accept = (content: object): object => ({ action: 'accept', content });

/** The first text of a result. */
export function textOf({ message, text }: Answer): string {
  const content = message.result?.['content'] as unknown as readonly { readonly text?: string }[] | undefined;
  return content?.[0]?.text ?? text;
}
