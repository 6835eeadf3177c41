import type { INestApplicationContext } from '@nestjs/common';

import type { McpConnectOptions } from '../client/connect-options.js';
import { McpClient } from '../client/mcp.client.js';
import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import type { InputResponder } from '../client/input.responder.js';
import { tokenOf } from '../mcp.constants.js';
import type { McpServer } from '../mcp.server.js';
import { McpError } from '../errors/mcp.error.js';
import type { WireQuestion } from '../model/questions.js';

/**
 * The server to connect to, and the caller.
 *
 * @publicApi
 */
export interface McpTestOptions extends Omit<McpConnectOptions, 'auth'> {
  /**
   * Answers by question key, as clients send them: `{ user_name: { action: 'accept', content: { name: 'Ada' } } }`. A
   * question without an answer fails the call. All kinds of questions are declared, unless `capabilities` is given.
   */
  answers?: Readonly<Record<string, unknown>>;
  /** The client capabilities in their wire form; replaces the capabilities that `answers` declares. */
  capabilities?: Readonly<Record<string, unknown>>;
  /**
   * The caller, as a guard would store it: in `ctx.auth`, and on the request under `auth.property`.
   *
   * an anonymous caller
   */
  as?: unknown;
  /**
   * Name of the server, if the app has several.
   *
   * @default 'default'
   */
  server?: string;
}

interface Tested {
  readonly app: INestApplicationContext;
  readonly server: McpServer;
  readonly options: Omit<McpConnectOptions, 'auth'>;
  readonly responder: InputResponder | undefined;
}

/**
 * Calls the MCP server of an app in a test, without a port.
 *
 * @example
 * ```ts
 * const moduleRef = await Test.createTestingModule({ imports: [AppModule] }).compile();
 * await using client = await McpTestClient.create(moduleRef, { as: { sub: 'ada' } });
 * const greeting = await client.callTool('greet', { name: 'Ada' });
 * ```
 * @publicApi
 */
export class McpTestClient extends McpClient {
  private constructor(
    private readonly tested: Tested,
    as: unknown,
    private readonly ownsApp: boolean,
  ) {
    super(...tested.server.wayIn({ ...tested.options, auth: as }, tested.responder));
  }

  /**
   * Connects to the server of an app or testing module. Starts an app that has not started, and closes it in the end.
   *
   * @throws InvalidOptionsError if the app has no such server; also any error that prevents the start of the app.
   */
  static async create(app: INestApplicationContext, options: McpTestOptions = {}): Promise<McpTestClient> {
    const { as, server: name, answers, capabilities, ...others } = options;
    const server = findServer(app, name);
    const ownsApp = !server.isOpen;
    if (ownsApp) await app.init();
    const isAsked = answers !== undefined || capabilities !== undefined;
    const responder = isAsked ? new CannedResponder(answers ?? {}, capabilities) : undefined;
    return new McpTestClient({ app, server, options: others, responder }, as, ownsApp);
  }

  /** A client of the same server for another caller; close it, or leave that to the app's shutdown. */
  as(principal: unknown): McpTestClient {
    return new McpTestClient(this.tested, principal, false);
  }

  override async close(): Promise<void> {
    await super.close();
    if (this.ownsApp) await this.tested.app.close();
  }
}

function findServer(app: INestApplicationContext, name: string | undefined): McpServer {
  try {
    return app.get<McpServer>(tokenOf('McpServer', name), { strict: false });
  } catch {
    throw new InvalidOptionsError(
      'server',
      name === undefined
        ? 'the app has no MCP server of the name "default". Import McpModule.forRoot(), or say which server is meant.'
        : `the app has no MCP server of the name "${name}". Name one that McpModule.forRoot({ server }) has.`,
    );
  }
}

const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};

/** Answers that a test has prepared, by the key of their question. */
class CannedResponder implements InputResponder {
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
      `The server asked "${key}"${message} by ${method}, and the test has no answer to it. Known keys: ${known}.`,
    );
  }
}
