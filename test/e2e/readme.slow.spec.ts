import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { MarkdownPage, ROOT } from '../support/markdown-page.js';

const START_MS = 60_000;
const folder = `${ROOT}.build/readme-${process.pid}`;

let program: ChildProcess | undefined;
let client: Client;

/** The example as it stands in the README, but for the port. */
function example(): string {
  const blocks = MarkdownPage.read('README.md').blocks.filter(({ language }) => language === 'ts');
  expect(blocks).toHaveLength(1);
  const code = blocks[0]?.code ?? '';
  expect(code.match(/listen\(3000/g)).toHaveLength(1);
  return code.replace('listen(3000', 'listen(0');
}

function compile(): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/main.ts`, example());
  const compilerOptions = { rootDir: '.', outDir: './out' };
  const settings = { extends: '../../tsconfig.sample.json', compilerOptions, include: ['main.ts'] };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(settings));
  execFileSync(process.execPath, [`${ROOT}node_modules/typescript/bin/tsc`, '-p', folder], { encoding: 'utf8' });
}

/** Resolves with the URL that the example prints. */
function run(): Promise<string> {
  const child = spawn(process.execPath, [`${folder}/out/main.js`], { stdio: ['ignore', 'pipe', 'pipe'] });
  program = child;
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = /^POST (\S+)\n/m.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`The example ended with ${code}:\n${output}`)));
  });
}

beforeAll(async () => {
  compile();
  const url = await run();
  client = new Client({ name: 'readme', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
}, START_MS);

afterAll(async () => {
  await client?.close();
  if (program !== undefined && program.exitCode === null) {
    const gone = once(program, 'exit');
    program.kill('SIGTERM');
    await gone;
  }
  rmSync(folder, { recursive: true, force: true });
}, START_MS);

describe('the example of the README', () => {
  it('offers a tool, a template and a prompt', async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['greet']);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'people://{name}/profile', description: 'A person' },
    ]);
    expect((await client.listPrompts()).prompts).toMatchObject([
      { name: 'introduce', arguments: [{ name: 'name', description: 'Whom to introduce', required: true }] },
    ]);
  });

  it('greets as often as it is asked to, and once by default', async () => {
    const once = await client.callTool({ name: 'greet', arguments: { name: 'Zoë' } });
    expect(once.content).toEqual([{ type: 'text', text: 'Hello, Zoë!' }]);
    const twice = await client.callTool({ name: 'greet', arguments: { name: 'Ada', times: 2 } });
    expect(twice.content).toEqual([{ type: 'text', text: 'Hello, Ada!Hello, Ada!' }]);
    const refused = await client.callTool({ name: 'greet', arguments: { name: '', times: 11 } });
    expect(refused).toMatchObject({ isError: true });
  });

  it('shows a profile', async () => {
    const { contents } = await client.readResource({ uri: 'people://ada/profile' });
    expect(contents).toEqual([{ uri: 'people://ada/profile', mimeType: 'application/json', text: '{"name":"ada"}' }]);
  });

  it('makes a prompt', async () => {
    const { messages } = await client.getPrompt({ name: 'introduce', arguments: { name: 'Ada' } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Introduce Ada in one sentence.' } }]);
  });
});
