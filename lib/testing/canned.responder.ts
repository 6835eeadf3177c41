import type { InputResponder } from '../client/input.responder.js';
import { McpError } from '../errors/mcp.error.js';
import type { WireQuestion } from '../model/questions.js';

const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};

/** Answers that a test has prepared, by the key of their question. */
export class CannedResponder implements InputResponder {
  constructor(
    private readonly answers: Readonly<Record<string, unknown>>,
    readonly capabilities: InputResponder['capabilities'] = EVERYTHING,
  ) {}

  respond(key: string, { method, params }: WireQuestion): unknown {
    if (Object.hasOwn(this.answers, key)) return this.answers[key];
    const message = typeof params['message'] === 'string' ? ` ("${params['message']}")` : '';
    const known = Object.keys(this.answers).join(', ') || 'none';
    throw new McpError(
      'MCP_NO_ANSWER',
      `The server asked "${key}"${message} by ${method}, and the test has no answer to it. Known are: ${known}.`,
    );
  }
}
