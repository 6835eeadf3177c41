/** A wish or a complaint of users of such modules, and what became of it: one of the three. */
export interface Complaint {
  readonly number: number;
  readonly wish: string;
  readonly tested?: readonly { readonly spec: string; readonly title: string }[];
  readonly documented?: { readonly page: string; readonly words: string };
  /** What it comes with. */
  readonly later?: string;
}

const tested = (
  number: number,
  wish: string,
  ...places: readonly (readonly [spec: string, title: string])[]
): Complaint => ({
  number,
  wish,
  tested: places.map(([spec, title]) => ({ spec: `test/${spec}.spec.ts`, title })),
});

const later = (number: number, wish: string, what: string): Complaint => ({ number, wish, later: what });

export const COMPLAINTS: readonly Complaint[] = [
  tested(
    1,
    'streams that are silent for long stay open',
    ['e2e/stream-pace', 'come on a stream that is silent, between its events'],
    ['e2e/subscriptions-slow-readers', 'come on a subscription that is silent'],
  ),
  tested(2, 'several instances without sticky sessions', [
    'e2e/components-lists',
    'go on at another instance of the same app',
  ]),
  tested(3, 'versioning of the app leaves the endpoint where it is', [
    'e2e/hostile-app',
    'has no version, where %s carries that of others',
  ]),
  tested(4, 'the package installs and imports as it says', [
    'architecture/tarball.slow',
    'holds the build, the notices and nothing else',
  ]),
  later(5, 'stdio as a transport like any other', 'the stdio transport'),
  tested(6, 'a guard sees which tool is called', [
    'e2e/pipeline-order',
    'shows parsed arguments before the schema, and validated ones after it',
  ]),
  tested(7, 'headers reach a tool', ['e2e/nest-matrix-request', 'fills what Nest decorates, in a %s']),
  tested(8, 'output schemas', ['e2e/components-tool-results', 'sends the output of the schema in both places']),
  tested(9, 'guards and interceptors on the endpoint itself', [
    'e2e/nest-matrix-order',
    '%s: everything once, in this order',
  ]),
  tested(10, 'the global prefix holds for the endpoint', ['e2e/hostile-app', 'is below the prefix of the app']),
  tested(
    11,
    'two servers of one app keep to themselves',
    ['e2e/module-servers', 'list their own components'],
    ['e2e/module-servers', 'run their own components, and no others'],
  ),
  tested(12, 'Fastify does what Express does', ['e2e/nest-matrix-guards', 'decides around a $host: $level']),
  later(13, 'the public address apart from the path that is mounted', 'the resource server'),
  tested(14, 'arguments are validated as results are', ['e2e/nest-pipes', 'about %s, in every form of declaration']),
  tested(15, 'options from asynchronous configuration', [
    'e2e/module-options',
    'takes name and modules of the server beside the factory',
  ]),
  tested(16, 'which tools there are is decided for each caller', [
    'e2e/visibility-policy',
    'may answer a whole list at once',
  ]),
  tested(17, 'nothing optional has to be installed', [
    'architecture/packages',
    'would be caught loading something optional deep inside',
  ]),
  tested(18, 'a guard gets its dependencies', ['e2e/nest-matrix-guards', 'decides around a $host: $level']),
  tested(19, 'a tool may refuse with 401', ['e2e/pipeline-errors', '%s fails the tool with words for the model']),
  tested(20, 'a prefix lands in no address twice', ['e2e/hostile-app', 'is not, where it is excluded by %j']),
  tested(21, 'any way to authenticate', [
    'e2e/http-guards',
    'may be set by a middleware, under the property that the app configures',
  ]),
  tested(22, 'what a guard learnt about the caller reaches the handler', [
    'e2e/http-guards',
    'passes the caller to the handler, on the request that it got',
  ]),
  tested(23, 'different tools for different users', [
    'e2e/peer-cases',
    'hides and denies what a guard refuses, and nothing that it lets pass',
  ]),
  later(24, 'authentication of each server on its own', 'the resource server'),
  tested(25, 'DTOs of class-validator as schemas', ['e2e/nest-pipes', 'about %s, in every form of declaration']),
  tested(26, 'tools that are made at the start', ['e2e/runtime-components', 'come in any number']),
  tested(27, 'a guard that lets everyone pass hides nothing', [
    'e2e/peer-cases',
    'hides and denies what a guard refuses, and nothing that it lets pass',
  ]),
  tested(
    28,
    'exception filters see errors',
    ['e2e/pipeline-errors', 'turn one error into another'],
    ['e2e/nest-matrix-order', '%s: an error meets the nearest filter, once'],
  ),
  later(29, 'tasks', 'the tasks extension'),
  tested(30, 'one guard hides and blocks', [
    'e2e/peer-cases',
    'hides and denies what a guard refuses, and nothing that it lets pass',
  ]),
  tested(31, 'components come and go while the app runs', [
    'e2e/runtime-components',
    'are added, changed, hidden and removed: %s',
  ]),
  tested(32, 'the registry is injected in any module', [
    'e2e/runtime-components',
    'are there when the app listens, each on its own server',
  ]),
  tested(33, 'the order of prefixes is that of Nest', ['e2e/hostile-app', 'is below the prefix of the app']),
  tested(34, 'a second copy of the framework is named', [
    'integration/nest-copies.slow',
    'hears the cause before Nest complains of a provider, with late options: "%s"',
  ]),
  tested(35, 'the core loads nothing for authentication', [
    'architecture/packages',
    'are those that an installation brings',
  ]),
  tested(36, 'official clients of today', ['e2e/official-client', 'gets the identity and capabilities of the server']),
  tested(
    37,
    'questions to the client, and parameter headers',
    ['e2e/rounds-questions', 'of every kind go out together'],
    ['e2e/rounds-official-client', 'are answered by its handlers, with %d instances'],
  ),
  tested(38, 'components on providers and on controllers', [
    'e2e/pipeline-scopes',
    'are found wherever a module provides them, and once each',
  ]),
  tested(39, 'a guard sees the arguments', [
    'e2e/pipeline-order',
    'shows parsed arguments before the schema, and validated ones after it',
  ]),
  tested(40, 'tests without a port', [
    'integration/testing-kit',
    'starts a testing module, calls it as a given caller, and closes it',
  ]),
  tested(41, 'headers reach a handler of any kind', ['e2e/nest-matrix-request', 'fills what Nest decorates, in a %s']),
  tested(42, 'two clients at once', ['e2e/pipeline-scopes', 'never mix calls that run together']),
  tested(43, 'it feels like a part of Nest', ['e2e/nest-matrix-order', '%s: everything once, in this order']),
  tested(
    44,
    'global guards see every request',
    [
      'e2e/peer-cases',
      'runs APP_GUARD and APP_INTERCEPTOR around a call, also of the run time, also with wrong arguments',
    ],
    ['e2e/nest-matrix-guards', 'decides for a $host'],
  ),
  later(45, 'no authorization server that can be tricked', 'the resource server, which trusts others to issue tokens'),
  {
    number: 46,
    wish: 'which releases of Nest it runs on',
    documented: { page: 'README.md', words: 'tested on 11.2.10 and 12.5.1' },
  },
];
