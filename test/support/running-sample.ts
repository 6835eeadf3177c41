import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

import { MarkdownPage, ROOT } from './markdown-page.js';

/** A sample on a free port, started as `npm start` at the root starts it after the build. */
export class RunningSample {
  private constructor(
    private readonly name: string,
    readonly process: ChildProcess,
    /** What it printed until it served. */
    readonly output: string,
  ) {}

  static async start(name: string): Promise<RunningSample> {
    const child = spawn(process.execPath, ['scripts/start.mjs', name], {
      cwd: ROOT,
      env: { ...process.env, PORT: '0', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new RunningSample(name, child, await outputUntilServed(child));
  }

  get endpoint(): URL {
    return new URL(/^MCP endpoint: (\S+)$/m.exec(this.output)?.[1] ?? '');
  }

  /** The shell blocks of its README in order, with the address of this process in place of the usual one. */
  get shellBlocks(): readonly string[] {
    return readmeBlocks(this.name, 'sh').map((code) => code.replaceAll('http://127.0.0.1:3000', this.endpoint.origin));
  }

  /** Ends it, if it has not ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = once(this.process, 'exit');
    this.process.kill(signal);
    await gone;
  }
}

/** Code of the README of a sample, in order. */
export function readmeBlocks(sample: string, language: string): readonly string[] {
  const { blocks } = MarkdownPage.read(`sample/${sample}/README.md`);
  return blocks.filter((block) => block.language === language).map(({ code }) => code);
}

/** What a shell prints for these lines. */
export async function runShell(script: string): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', script])).stdout;
}

function outputUntilServed(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (/^MCP endpoint: \S+\n/m.test(output)) resolve(output);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`The sample ended with ${code}:\n${output}`)));
  });
}
