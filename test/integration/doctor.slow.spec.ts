import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it, jest } from '@jest/globals';

import { examine, examineWith, nestjsMcp } from '../support/doctor.js';
import { MarkdownPage, ROOT } from '../support/markdown-page.js';

/** Every test starts Node.js and an app. */
jest.setTimeout(60_000);

const UNSEEN = 'What main.ts sets up is not seen: shutdown hooks, global guards, body parsers.';

/** Where a fixture really is. */
const placeOf = (fixture: string): string => join(ROOT, 'test/fixtures/doctor', fixture);

const lines = (...text: readonly string[]): string => `${text.join('\n')}\n`;

/** What the doctor says of a server without anything. */
const described = (name: string, endpoint: string, server = 'default', tools = 0): string[] => [
  `${name} (server "${server}")`,
  `  endpoint   ${endpoint}`,
  '  revisions  2026-07-28',
  `  offers     ${tools} tools, 0 resources, 0 templates, 0 prompts`,
  '',
];

describe('nestjs-mcp doctor', () => {
  it.each(['express', 'fastify'])('finds nothing wrong with a healthy app on %s', async (platform) => {
    expect(await examine('healthy.app.mjs', '--platform', platform)).toEqual({
      exitCode: 0,
      stdout: lines(...described('healthy', 'POST /mcp', 'default', 1), 'No findings.', UNSEEN),
      stderr: '',
    });
  });

  it('listens nowhere, since the app may be running already', async () => {
    const running = createServer().listen(0, '127.0.0.1');
    await once(running, 'listening');
    const { port } = running.address() as AddressInfo;
    const { exitCode, stdout } = await examineWith({ TAKEN_PORT: String(port) }, 'listening.app.mjs');
    running.close();
    expect([exitCode, stdout.split('\n')[1]]).toEqual([0, `  endpoint   POST http://127.0.0.1:${port}/mcp`]);
  });

  it('lists every finding in a line, with its cure and the name of its check', async () => {
    expect(await examine('risky.app.mjs')).toEqual({
      exitCode: 1,
      stdout: lines(
        ...described('risky', 'POST /mcp', 'default', 1),
        'Findings: 5',
        '- Keys.list_keys: the tool "list_keys" has no description, so models have to guess what it is for. Add one to its decorator. [component]',
        '- Vault is guarded, but the MCP endpoint is not. Pass http: { guards: [...] } to McpModule. [open-endpoint]',
        '- http.allowedOrigins holds "*", so web pages of any site may call the MCP endpoint. Name the origins you trust. [any-origin]',
        '- cache.tools.scope is "public", but the list of tools depends on the caller, so it is sent as "private" all the same. Make it "private". [public-cache]',
        '- limits.requestTimeoutMs is Infinity, so a call that hangs keeps its place for ever. Set it to the longest that a call may take. [endless-call]',
        UNSEEN,
      ),
      stderr: '',
    });
  });

  it('judges the patterns of input schemas, each where it is', async () => {
    const { exitCode, stdout } = await examine('slow-patterns.app.mjs');
    const told = (pattern: string, place: string): string =>
      `the pattern ${pattern} of ${place} may take very long for a long text, and one call could stop the process. ` +
      'Begin it with ^, and let no two repetitions in it match the same characters. [slow-pattern]';
    const words = String.raw`^(\w+\s?)*$`;
    expect([exitCode, stdout.split('\n').filter((line) => line.startsWith('- '))]).toEqual([
      1,
      [
        `- Customers.find: ${told('^(a+)+$', 'its arguments')}`,
        `- Customers.find: ${told(words, '"name"')}`,
        `- Customers.find: ${told('x*y', '"orders[]"')}`,
        `- Customers.greet: ${told(words, '"again"')}`,
      ],
    ]);
  });

  it('prints the same report as JSON', async () => {
    const { exitCode, stdout } = await examine('risky.app.mjs', '--json');
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      1,
      {
        servers: [
          {
            name: 'risky',
            server: 'default',
            paths: ['/mcp'],
            urls: [],
            revisions: ['2026-07-28'],
            counts: { tools: 1, resources: 0, templates: 0, prompts: 0 },
          },
        ],
        findings: ['component', 'open-endpoint', 'any-origin', 'public-cache', 'endless-call'].map((check) => ({
          check,
          text: expect.any(String),
        })),
      },
    ]);
  });

  it('says which of the servers of a CommonJS app a finding is about', async () => {
    expect(await examine('two-servers.app.cjs')).toEqual({
      exitCode: 1,
      stdout: lines(
        ...described('one', 'POST /mcp'),
        ...described('two', 'POST /second', 'second'),
        'Findings: 1',
        '- http.allowedOrigins holds "*", so web pages of any site may call the MCP endpoint. Name the origins you trust. [any-origin, server "second"]',
        UNSEEN,
      ),
      stderr: '',
    });
  });

  it('misses a server in an app without one', async () => {
    expect(await examine('serverless.app.mjs')).toEqual({
      exitCode: 1,
      stdout: lines(
        'Findings: 1',
        '- The app has no MCP server. Import McpModule.forRoot() into its modules. [no-server]',
        UNSEEN,
      ),
      stderr: '',
    });
  });
});

describe('the module that the doctor looks at', () => {
  it.each([
    ['none', [], 'exports several modules.'],
    ['version', ['--export', 'version'], 'exports version, which is no Nest module.'],
    ['Missing', ['--export', 'Missing'], 'does not export Missing.'],
  ])('has to be chosen where a file has several, and is not by %s', async (_name, options, fault) => {
    const choice = 'Choose one: --export RootModule, --export UsersModule.';
    expect(await examine('several.modules.mjs', ...options)).toMatchObject({
      exitCode: 2,
      stdout: lines(`${placeOf('several.modules.mjs')} ${fault} ${choice}`),
    });
  });

  it('is chosen by its name', async () => {
    expect(await examine('several.modules.mjs', '--export', 'RootModule')).toMatchObject({
      exitCode: 0,
      stdout: lines(...described('root', 'none'), 'No findings.', UNSEEN),
    });
  });

  it.each([
    ['missing.mjs', 'There is no file %. Build the app, and pass the compiled file of its module.'],
    ['.', 'There is no file %. Build the app, and pass the compiled file of its module.'],
    ['no-module.mjs', "% exports no Nest module. Pass the compiled file of the app's root module."],
    ['../gallery.module.ts', '% is not compiled. Build the app, and pass the JavaScript file of its module.'],
  ])('has to be in the file: %s', async (fixture, message) => {
    expect(await examine(fixture)).toEqual({
      exitCode: 2,
      stdout: lines(message.replace('%', placeOf(fixture).replace(/\/$/, ''))),
      stderr: '',
    });
  });
});

describe('an app that does not start', () => {
  it('fails the doctor with its reason', async () => {
    expect(await examine('failing.app.mjs')).toEqual({
      exitCode: 2,
      stdout: lines('The app does not start.', 'The database is not there'),
      stderr: '',
    });
  });

  it('prints the reason as JSON, and its stack on request', async () => {
    const { exitCode, stdout } = await examine('failing.app.mjs', '--json');
    const message = 'The database is not there';
    expect([exitCode, JSON.parse(stdout)]).toEqual([2, { error: { message }, findings: [] }]);
    const verbose = await examine('failing.app.mjs', '--verbose');
    expect(verbose.stdout).toMatch(/onModuleInit[^]*Caused by: Error: Connection refused\n/);
  });

  it('is given up after the time that it may take', async () => {
    expect(await examine('endless.app.mjs', '--export', 'WaitingModule', '--timeout', '0.2')).toEqual({
      exitCode: 2,
      stdout: lines('The app has not started within 0.2 s. Find out what it waits for, or allow more with --timeout.'),
      stderr: '',
    });
  });

  it('is given up at once when nothing is left to wait for', async () => {
    expect(await examine('endless.app.mjs', '--export', 'StuckModule', '--timeout', '100000')).toEqual({
      exitCode: 2,
      stdout: lines(
        'The start of the app never ends: it waits for a promise that nothing will settle. Find it among its async providers and lifecycle hooks.',
      ),
      stderr: '',
    });
  });

  it.each([
    ['LeavingModule', 0, ''],
    ['CrashingModule', 1, 'Nobody catches this'],
  ])('passes for no healthy one when it ends the process: %s', async (name, code, error) => {
    const message = `The app ended the process with code ${code} while it started.`;
    const examined = await examine('leaving.app.mjs', '--export', name, '--json');
    expect([examined.exitCode, JSON.parse(examined.stdout)]).toEqual([2, { error: { message }, findings: [] }]);
    expect(examined.stderr).toContain(error);
  });
});

describe('an app that does not stop by itself', () => {
  it('prints to stderr, and keeps the doctor no longer than it takes', async () => {
    const { exitCode, stdout, stderr } = await examine('lively.app.mjs', '--json');
    expect([exitCode, (JSON.parse(stdout) as { findings: unknown }).findings]).toEqual([0, []]);
    expect(stderr).toMatch(/^loading\n\{ "not": "the report" \}\nstarting\n/);
    expect(stderr).toContain('closing');
  });

  it('has been looked at even if it cannot be closed', async () => {
    expect(await examine('lively.app.mjs', '--export', 'ClingingModule')).toMatchObject({
      exitCode: 0,
      stdout: lines(...described('clinging', 'POST /mcp'), 'No findings.', UNSEEN),
    });
  });
});

describe('the command line', () => {
  it.each([[[]], [['--help']], [['doctor', '-h']]])('is explained: %j', async (args) => {
    const { exitCode, stdout, stderr } = await nestjsMcp(...args);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: nestjs-mcp doctor <file> \[options\]\n/);
  });

  it.each([
    [['list'], 'There is no command "list".'],
    [['doctor'], 'The doctor needs a file, such as dist/app.module.js.'],
    [['doctor', 'a.js', 'b.js', 'c.js'], 'The doctor takes one file, not also b.js, c.js.'],
    [['doctor', 'a.js', '--platform', 'koa'], '--platform takes express or fastify, not "koa".'],
    [['doctor', 'a.js', '--timeout', '0'], '--timeout takes seconds, more than 0 and up to 2000000, not "0".'],
    [['doctor', 'a.js', '--timeout', ''], '--timeout takes seconds, more than 0 and up to 2000000, not "".'],
    [['doctor', 'a.js', '--timeout', '1e9'], '--timeout takes seconds, more than 0 and up to 2000000, not "1e9".'],
    [['doctor', 'a.js', '--loud'], "Unknown option '--loud'"],
  ])('has to be right: %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await nestjsMcp(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/ See nestjs-mcp --help\.\n$/);
    expect(stderr).toContain(message);
  });
});

describe('the page about the doctor', () => {
  const { text } = MarkdownPage.read('docs/doctor.md');

  it('has every check of the start', () => {
    const source = readFileSync(join(ROOT, 'lib/boot-audit/audit.ts'), 'utf8');
    const names = [...source.matchAll(/\n {2}name: '([a-z-]+)'/g)].map(([, name]) => name);
    expect(names).toHaveLength(6);
    for (const name of names) expect(text).toContain(`\n### ${name}\n`);
  });

  it('has every option', async () => {
    const { stdout } = await nestjsMcp('--help');
    const options = [...stdout.matchAll(/^ {2}(--(?!help)[a-z]+(?: <[a-z]+>)?)/gm)].map(([, option]) => option);
    expect(options).toHaveLength(5);
    for (const option of options) expect(text).toContain(`| \`${option}\``);
  });
});
