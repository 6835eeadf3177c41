import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LineWriter } from '../../lib/transports/stdio/line.writer.js';
import type { StdioServer } from '../../lib/transports/stdio/stdio-host.interface.js';
import { readStdioOptions } from '../../lib/transports/stdio/stdio.settings.js';
import { StdioTransport } from '../../lib/transports/stdio/stdio.transport.js';
import { mcpRequest } from './mcp-request.js';

/** The id of a request that has an answer, whatever came before it. */
const LAST = 'the last line';

const LIMITS = { writeTimeoutMs: 10_000, maxQueuedBytes: 4_194_304 };

/** A server of this process behind a pipe of the operating system. */
export class LinePipe implements AsyncDisposable {
  private text = '';
  private look: () => void = () => undefined;

  private constructor(
    private readonly client: Socket,
    private readonly release: () => Promise<void>,
  ) {
    client.on('data', (chunk: Buffer) => {
      // Lines hold ASCII alone.
      this.text += chunk.toString('latin1');
      this.look();
    });
  }

  static async open(server: StdioServer): Promise<LinePipe> {
    const folder = await mkdtemp(join(tmpdir(), 'pipe-'));
    const listener = createServer();
    listener.listen(join(folder, 'line'));
    await once(listener, 'listening');
    const client = connect(join(folder, 'line'));
    const [input] = (await once(listener, 'connection')) as [Socket];
    const writer = new LineWriter(input, LIMITS);
    const transport = new StdioTransport(server.stdioHost(), { input, writer }, readStdioOptions({}));
    const served = transport.serve();
    return new LinePipe(client, async () => {
      client.end();
      await served;
      await transport.finish();
      input.destroy();
      listener.close();
      await rm(folder, { recursive: true });
    });
  }

  /** Sends one line, and another one that has an answer; resolves with whatever else comes back, in order. */
  async send(body: string, expectsAnswer: boolean): Promise<string> {
    this.text = '';
    this.client.write(`${body}\n`);
    if (expectsAnswer) await this.lines(1);
    this.client.write(`${mcpRequest('server/discover', {}, { id: LAST }).body}\n`);
    const all = await this.lines(expectsAnswer ? 2 : 1);
    return all.filter((line) => !line.includes(`"id":"${LAST}"`)).join('\n');
  }

  private async lines(count: number): Promise<readonly string[]> {
    for (;;) {
      const lines = this.text.split('\n').slice(0, -1);
      if (lines.length >= count) return lines;
      await new Promise<void>((resolve) => {
        this.look = resolve;
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }
}
