import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { Session } from 'node:inspector/promises';
import { ROOT } from './command.mjs';

/** Prints the files of `lib` that one `tools/call` on Express runs through, in order: `npm run story`. */
const BUILD = `${ROOT}dist/cjs/`;
const BUDGET = 50;
const ARGUMENTS = { text: 'hello' };

if (isMainThread) await tell();
else await watch();

async function tell() {
  const { values } = parseArgs({ options: { quiet: { type: 'boolean' } } });
  const { app, url } = await start();
  const watcher = new Worker(fileURLToPath(import.meta.url));
  const ask = async (step) => {
    watcher.postMessage(step);
    return (await once(watcher, 'message'))[0];
  };
  await ask('attach');
  // Two calls first: what runs once, and not for each call, is no part of the story.
  for (let count = 0; count < 2; count += 1) await call(url);
  await ask('count');
  await call(url);
  await ask('stop at what ran');
  await call(url);
  const files = (await ask('files')).map((path) => path.replace(BUILD, 'lib/').replace(/js$/, 'ts'));
  await watcher.terminate();
  await app.close();
  if (values.quiet !== true)
    for (const [index, file] of files.entries()) console.log(String(index + 1).padStart(3), file);
  console.log(`One tools/call on Express runs through ${files.length} files (at most ${BUDGET}).`);
  if (files.length > BUDGET) process.exitCode = 1;
}

/** The application of the README, in plain JavaScript, with the build that has one file for each file of `lib`. */
async function start() {
  const require = createRequire(import.meta.url);
  require('reflect-metadata');
  const { Module } = require('@nestjs/common');
  const { NestFactory } = require('@nestjs/core');
  const { z } = require('zod');
  const { McpModule, Tool } = require(BUILD);
  class Tools {
    echo({ text }) {
      return text;
    }
  }
  const { echo } = Object.getOwnPropertyDescriptors(Tools.prototype);
  Tool({ description: 'Repeats a text', input: z.object({ text: z.string() }) })(Tools.prototype, 'echo', echo);
  class AppModule {}
  Module({ imports: [McpModule.forRoot({ name: 'story', version: '1.0.0' })], providers: [Tools] })(AppModule);
  const app = await NestFactory.create(AppModule, { logger: ['error', 'fatal'] });
  await app.listen(0, '127.0.0.1');
  return { app, url: `${await app.getUrl()}/mcp` };
}

async function call(url) {
  const params = {
    name: 'echo',
    arguments: ARGUMENTS,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result } = await response.json();
  if (result?.content?.[0]?.text !== ARGUMENTS.text) throw new Error(`The call was answered with ${response.status}`);
}

/** Runs beside the application, since a thread that stands at a breakpoint cannot let itself go on. */
async function watch() {
  const session = new Session();
  session.connectToMainThread();
  const scripts = new Map();
  const files = new Set();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => {
    const path = url.startsWith('file:') ? fileURLToPath(url) : url;
    if (path.startsWith(BUILD)) scripts.set(scriptId, path);
  });
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    files.add(scripts.get(callFrames[0].location.scriptId));
    void session.post('Debugger.resume');
  });
  const steps = {
    async attach() {
      await session.post('Debugger.enable');
      await session.post('Profiler.enable');
    },
    async count() {
      await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    },
    async 'stop at what ran'() {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      await session.post('Profiler.stopPreciseCoverage');
      for (const { scriptId, functions } of result.filter((script) => scripts.has(script.scriptId))) {
        const text = readFileSync(scripts.get(scriptId), 'utf8');
        for (const { ranges } of functions.filter(({ ranges: [whole] }) => whole.count > 0)) {
          // Its first character belongs to the statement around it.
          const start = { scriptId, ...placeOf(text, ranges[0].startOffset + 1) };
          const { locations } = await session.post('Debugger.getPossibleBreakpoints', {
            start,
            restrictToFunction: true,
          });
          if (locations.length > 0) await session.post('Debugger.setBreakpoint', { location: locations[0] });
        }
      }
    },
    files: () => [...files],
  };
  const answer = async (step) => parentPort.postMessage(await steps[step]());
  parentPort.on('message', (step) => void answer(step));
}

function placeOf(text, offset) {
  const lines = text.slice(0, offset).split('\n');
  return { lineNumber: lines.length - 1, columnNumber: lines.at(-1).length };
}
