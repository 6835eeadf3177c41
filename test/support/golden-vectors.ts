import { META } from './mcp-request.js';

/** One message, and what has to come back whatever carried it. */
export interface Vector {
  readonly name: string;
  readonly body: string;
  /** HTTP status, for carriers that have one. */
  readonly status: number;
  /** Code of the error; `undefined` for a result, or for silence. */
  readonly code?: number;
  /** Part of the result. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** The message of the error, where the protocol or a promise of ours fixes it. */
  readonly message?: string;
  /** Whether nothing at all comes back. */
  readonly silent?: boolean;
  /** Whether nothing comes back over a pipe, which has no status to say it with. */
  readonly unheard?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const ELICITS = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

function request(
  method: unknown,
  params: Fields = {},
  { meta = {}, id = 1 }: { meta?: Fields; id?: unknown } = {},
): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...META, ...meta } } });
}

const tool = (name: unknown, args?: unknown, more: Fields = {}, meta: Fields = {}): string =>
  request('tools/call', { name, ...(args === undefined ? {} : { arguments: args }), ...more }, { meta });

const raw = (name: string, body: string, status: number, code: number, message?: string): Vector => ({
  name,
  body,
  status,
  code,
  ...(message === undefined ? {} : { message }),
});

const ok = (name: string, body: string, result: Fields): Vector => ({ name, body, status: 200, result });
const fault = (name: string, body: string, code: number, message?: string): Vector =>
  raw(name, body, 200, code, message);

const told = (words: string): Fields => ({ content: [{ type: 'text', text: words }] });
const refusedByTool = (words?: string): Fields => ({
  isError: true,
  ...(words === undefined ? {} : { content: [{ type: 'text', text: words }] }),
});

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const unheard = (vector: Vector): Vector => ({ ...vector, unheard: true });

const framing: readonly Vector[] = [
  unheard(raw('an empty text', '', 400, -32700)),
  unheard(raw('white space', '  \t', 400, -32700)),
  raw('a brace that is missing', request('tools/list').slice(0, -1), 400, -32700),
  raw('words', 'hello', 400, -32700),
  raw('a comma too many', '{"jsonrpc":"2.0",}', 400, -32700),
  raw('single quotes', "{'jsonrpc':'2.0'}", 400, -32700),
  raw('a comment', '{"jsonrpc":"2.0"/* */}', 400, -32700),
  raw('NaN', '{"jsonrpc":"2.0","id":NaN}', 400, -32700),
  raw('two values', '{}{}', 400, -32700),
  raw(
    'a number of 65 digits',
    `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":${'1'.repeat(65)}}}`,
    400,
    -32700,
  ),
  raw('a number beyond all bounds', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":1e400}}', 400, -32700),
  raw('too deep a list', deep(129), 400, -32700),
  raw(
    'half a character',
    String.raw`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":"\ud800"}}`,
    400,
    -32700,
  ),
  raw('a batch', `[${request('tools/list')}]`, 400, -32600),
  raw('an empty batch', '[]', 400, -32600),
  raw('a string', '"hi"', 400, -32600),
  raw('a number', '1', 400, -32600),
  raw('null', 'null', 400, -32600),
  raw('an empty object', '{}', 400, -32600),
];

const calls: readonly Vector[] = [
  raw('another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', 400, -32600),
  raw('no version of JSON-RPC', '{"id":1,"method":"tools/list"}', 400, -32600),
  raw('a number for a method', '{"jsonrpc":"2.0","id":1,"method":5}', 400, -32600),
  raw('no method', '{"jsonrpc":"2.0","id":1}', 400, -32600),
  raw('null for an id', '{"jsonrpc":"2.0","id":null,"method":"tools/list"}', 400, -32600),
  raw('a fraction for an id', '{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}', 400, -32600),
  raw('an object for an id', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}', 400, -32600),
  raw('true for an id', '{"jsonrpc":"2.0","id":true,"method":"tools/list"}', 400, -32600),
  raw('an id of 257 bytes', `{"jsonrpc":"2.0","id":"${'x'.repeat(257)}","method":"tools/list"}`, 400, -32600),
  raw('an id beyond 64 bits', '{"jsonrpc":"2.0","id":9223372036854775808,"method":"tools/list"}', 400, -32600),
  raw('a list for params', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}', 400, -32602),
  raw('null for params', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}', 400, -32602),
  unheard(raw('a response with a result', '{"jsonrpc":"2.0","id":1,"result":{}}', 400, -32600)),
  unheard(raw('a response with an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}', 400, -32600)),
  ...[0, '', -1, 'é\u2028', 2 ** 53 - 1].map((id) =>
    ok(`the id ${JSON.stringify(id)}`, request('server/discover', {}, { id }), { resultType: 'complete' }),
  ),
  ok('an id beyond 2^53', request('server/discover').replace('"id":1', '"id":9007199254740993'), {
    resultType: 'complete',
  }),
  { name: 'a notification', body: '{"jsonrpc":"2.0","method":"notifications/whatever"}', status: 202, silent: true },
  { name: 'a notification of a request', body: '{"jsonrpc":"2.0","method":"tools/list"}', status: 202, silent: true },
  {
    name: 'a cancellation of nothing',
    body: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}',
    status: 202,
    silent: true,
  },
  {
    name: 'a malformed cancellation',
    body: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{},"reason":5}}',
    status: 202,
    silent: true,
  },
];

const envelopes: readonly Vector[] = [
  raw('no params at all', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 400, -32602),
  raw('no _meta', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}', 400, -32602),
  raw('a list for _meta', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":[]}}', 400, -32602),
  raw('no revision', request('tools/list', {}, { meta: { [VERSION]: undefined } }), 400, -32602),
  raw('a number for the revision', request('tools/list', {}, { meta: { [VERSION]: 2026 } }), 400, -32602),
  raw('no capabilities', request('tools/list', {}, { meta: { [CAPABILITIES]: undefined } }), 400, -32602),
  raw('a list for capabilities', request('tools/list', {}, { meta: { [CAPABILITIES]: [] } }), 400, -32602),
  raw('an unknown revision', request('tools/list', {}, { meta: { [VERSION]: '1900-01-01' } }), 400, -32022),
  raw('an earlier revision', request('tools/list', {}, { meta: { [VERSION]: '2025-11-25' } }), 400, -32022),
  raw(
    'the handshake of an earlier era',
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}',
    400,
    -32022,
  ),
  ...[
    { 'io.modelcontextprotocol/logLevel': 'loud' },
    { 'io.modelcontextprotocol/logLevel': 5 },
    { progressToken: 1.5 },
    { progressToken: {} },
    { progressToken: 'x'.repeat(257) },
    { 'io.modelcontextprotocol/clientInfo': 'spec' },
    { 'io.modelcontextprotocol/clientInfo': { name: 'spec' } },
    { 'a b': 1 },
    { '/x': 1 },
    { '-x/y': 1 },
  ].map((meta) =>
    fault(`the envelope ${JSON.stringify(meta).slice(0, 60)}`, request('tools/list', {}, { meta }), -32602),
  ),
  ok('a malformed trace', request('tools/list', {}, { meta: { traceparent: 'x' } }), { resultType: 'complete' }),
  ok('keys of others', request('tools/list', {}, { meta: { 'example.com/x': [] } }), { resultType: 'complete' }),
];

const methods: readonly Vector[] = [
  ...['foo/bar', '', 'ping', 'logging/setLevel', 'resources/subscribe', 'tasks/get', 'initialize', 'constructor'].map(
    (method) => raw(`the method ${JSON.stringify(method)}`, request(method), 404, -32601, 'Method not found'),
  ),
  ok('discover', request('server/discover'), { supportedVersions: ['2026-07-28'], ttlMs: 0, cacheScope: 'private' }),
  ok('a list of tools', request('tools/list'), { resultType: 'complete' }),
  ok('a list of resources', request('resources/list'), {}),
  ok('a list of templates', request('resources/templates/list'), {}),
  ok('a list of prompts', request('prompts/list'), {}),
  fault('a number for a cursor', request('tools/list', { cursor: 5 }), -32602),
  fault('an empty cursor', request('tools/list', { cursor: '' }), -32602),
  fault('an invented cursor', request('tools/list', { cursor: 'eyJvIjo0fQ' }), -32602),
];

const tools: readonly Vector[] = [
  ok('arguments that fit', tool('order', { drink: 'tea', cups: 2 }), told('2 x tea')),
  ok('a default', tool('order', { drink: 'tea' }), told('1 x tea')),
  ok('another choice', tool('order', { drink: 'water' }), refusedByTool()),
  ok('a text for a number', tool('order', { drink: 'tea', cups: '2' }), refusedByTool()),
  ok('a number out of bounds', tool('order', { drink: 'tea', cups: 10 }), refusedByTool()),
  ok('null for a member', tool('order', { drink: null }), refusedByTool()),
  ok('a member too many', tool('order', { drink: 'tea', sugar: true }), refusedByTool()),
  ok('no arguments where some are required', tool('order'), refusedByTool()),
  ok('any members', tool('mirror', { word: 'a', more: [1, { b: null }] }), {
    structuredContent: { word: 'a', more: [1, { b: null }] },
  }),
  ok('names beyond ASCII', tool('mirror', { 'größe 鍵': '\u2028\u{1F98A}' }), {
    structuredContent: { 'größe 鍵': '\u2028\u{1F98A}' },
  }),
  ok('a prototype for a member', tool('mirror', JSON.parse('{"__proto__":{"a":1}}') as object), {
    resultType: 'complete',
  }),
  ok('a structured result', tool('add', { a: 0.1, b: 2 }), { structuredContent: { sum: 2.1 } }),
  ok('large numbers', tool('add', { a: 1e300, b: -1e300 }), { structuredContent: { sum: 0 } }),
  fault('a result that breaks its schema', tool('lie'), -32603, 'Internal error'),
  ok('no result', tool('nothing'), { content: [] }),
  ok('blocks', tool('blocks'), {
    content: [
      { type: 'text', text: 'été 日本 \u{1F98A}' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
  }),
  ok('a whole result', tool('whole'), { structuredContent: { b: 1 } }),
  ok('a failure that says so', tool('fail', { word: 'bad' }), refusedByTool('Bad, and said so')),
  ok('a failure of business code', tool('fail', { word: 'forbidden' }), refusedByTool('Not here')),
  ok('something that is missing', tool('fail', { word: 'missing' }), refusedByTool('There is none')),
  fault('an error of the app', tool('fail', { word: 'protocol' }), 4711, 'My own'),
  fault('an unknown error', tool('fail', { word: 'unknown' }), -32603, 'Internal error'),
  ok('a failure that is returned', tool('fail', { word: 'error' }), refusedByTool('It failed')),
  fault('what is no JSON', tool('fail', { word: 'else' }), -32603, 'Internal error'),
  fault('an unknown tool', tool('nobody'), -32602, 'Unknown tool: nobody'),
  fault('a tool in other letters', tool('ORDER'), -32602),
  fault('a name of the language', tool('constructor'), -32602),
  fault('no name', request('tools/call', { arguments: {} }), -32602),
  fault('a number for a name', tool(5), -32602),
  fault('a list for arguments', tool('nothing', []), -32602),
  fault('null for arguments', tool('nothing', null), -32602),
  fault('a text for arguments', tool('nothing', 'x'), -32602),
  ok('arguments where none are taken', tool('nothing', { a: 1 }), refusedByTool()),
];

const NAME = { name: { action: 'accept', content: { name: 'Ada' } } };

const rounds: readonly Vector[] = [
  raw('a question to a client without forms', tool('ask'), 400, -32021),
  ok('a question', tool('ask', undefined, {}, ELICITS), { resultType: 'input_required' }),
  ok('an answer', tool('ask', undefined, { inputResponses: NAME }, ELICITS), told('Hello, Ada')),
  ok(
    'no to a question',
    tool('ask', undefined, { inputResponses: { name: { action: 'decline' } } }, ELICITS),
    told('decline'),
  ),
  ok('an answer to something else', tool('ask', undefined, { inputResponses: { other: {} } }, ELICITS), {
    resultType: 'input_required',
  }),
  ok(
    'an answer that does not fit',
    tool('ask', undefined, { inputResponses: { name: { action: 'accept', content: { name: '' } } } }, ELICITS),
    {
      resultType: 'input_required',
    },
  ),
  fault(
    'an answer that is none',
    tool('ask', undefined, { inputResponses: { name: { action: 'perhaps' } } }, ELICITS),
    -32602,
  ),
  fault('answers that are no objects', tool('ask', undefined, { inputResponses: { name: 5 } }, ELICITS), -32602),
  fault('null for answers', tool('ask', undefined, { inputResponses: null }, ELICITS), -32602),
  fault('a number for a state', tool('ask', undefined, { requestState: 5 }, ELICITS), -32602),
  fault(
    'an invented state',
    tool('ask', undefined, { requestState: 'golden.AAAA', inputResponses: NAME }, ELICITS),
    -32602,
  ),
  fault(
    'a capability that is none',
    tool('ask', undefined, {}, { [CAPABILITIES]: { elicitation: { form: false } } }),
    -32602,
  ),
];

const resources: readonly Vector[] = [
  ok('a text', request('resources/read', { uri: 'golden://text' }), {
    contents: [{ uri: 'golden://text', mimeType: 'text/plain', text: 'plain' }],
  }),
  ok('bytes', request('resources/read', { uri: 'golden://bytes' }), {
    contents: [{ uri: 'golden://bytes', mimeType: 'application/octet-stream', blob: 'AP8=' }],
  }),
  ok('an item', request('resources/read', { uri: 'golden://items/5' }), {
    contents: [{ uri: 'golden://items/5', mimeType: 'application/json', text: '{"id":"5"}' }],
  }),
  ok('an encoded item', request('resources/read', { uri: 'golden://items/a%20b' }), {}),
  fault('an item that is missing', request('resources/read', { uri: 'golden://items/none' }), -32602, 'No such item'),
  fault('an item with a slash', request('resources/read', { uri: 'golden://items/a%2fb' }), -32602),
  fault('an item above', request('resources/read', { uri: 'golden://items/..' }), -32602),
  fault('an unknown resource', request('resources/read', { uri: 'golden://nowhere' }), -32602, 'Resource not found'),
  fault('no URI', request('resources/read'), -32602),
  fault('a number for a URI', request('resources/read', { uri: 5 }), -32602),
];

const prompts: readonly Vector[] = [
  ok('a prompt', request('prompts/get', { name: 'greet', arguments: { name: 'Ada' } }), {
    messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada' } }],
  }),
  ok('a prompt with a choice', request('prompts/get', { name: 'greet', arguments: { name: 'Ada', tone: 'warm' } }), {}),
  fault('a prompt without what it needs', request('prompts/get', { name: 'greet' }), -32602),
  fault(
    'a prompt with another choice',
    request('prompts/get', { name: 'greet', arguments: { name: 'a', tone: 'hot' } }),
    -32602,
  ),
  fault('a prompt with a number', request('prompts/get', { name: 'greet', arguments: { name: 5 } }), -32602),
  fault('a prompt with a list', request('prompts/get', { name: 'greet', arguments: [] }), -32602),
  fault('an unknown prompt', request('prompts/get', { name: 'nobody' }), -32602, 'Unknown prompt: nobody'),
  fault('a prompt without a name', request('prompts/get'), -32602),
];

const completion = (ref: unknown, argument: unknown, context?: unknown): string =>
  request('completion/complete', { ref, argument, ...(context === undefined ? {} : { context }) });
const GREET = { type: 'ref/prompt', name: 'greet' };

const completions: readonly Vector[] = [
  ok('names', completion(GREET, { name: 'name', value: 'Ad' }), {
    completion: { values: ['Ada', 'Adam'] },
  }),
  ok('choices by themselves', completion(GREET, { name: 'tone', value: 'w' }), {}),
  ok(
    'a template without completions',
    completion({ type: 'ref/resource', uri: 'golden://items/{id}' }, { name: 'id', value: '' }),
    { completion: { values: [] } },
  ),
  ok('chosen arguments', completion(GREET, { name: 'name', value: 'B' }, { arguments: { tone: 'cold' } }), {}),
  fault('an unknown argument', completion(GREET, { name: 'nobody', value: '' }), -32602),
  fault('an unknown prompt', completion({ type: 'ref/prompt', name: 'nobody' }, { name: 'a', value: '' }), -32602),
  fault(
    'an unknown template',
    completion({ type: 'ref/resource', uri: 'golden://none/{a}' }, { name: 'a', value: '' }),
    -32602,
  ),
  fault('an unknown reference', completion({ type: 'ref/tool', name: 'order' }, { name: 'a', value: '' }), -32602),
  fault('no argument', completion(GREET, undefined), -32602),
  fault('a number for a value', completion(GREET, { name: 'name', value: 5 }), -32602),
  fault('a list for a context', completion(GREET, { name: 'name', value: '' }, []), -32602),
];

/** Every kind of message, good and bad, whose answer has to be the same everywhere. */
export const VECTORS: readonly Vector[] = [
  ...framing,
  ...calls,
  ...envelopes,
  ...methods,
  ...tools,
  ...rounds,
  ...resources,
  ...prompts,
  ...completions,
];
