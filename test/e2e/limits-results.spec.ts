import { describe, expect, it } from '@jest/globals';
import { BadRequestException, Injectable, Module } from '@nestjs/common';
import { z } from 'zod';

import {
  blob,
  image,
  log,
  McpContext,
  McpModule,
  McpProtocolError,
  Prompt,
  Resource,
  text,
  Tool,
  type ToolArgs,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { referenceOf } from '../support/reference.js';
import { shareApp } from '../support/shared-app.js';

const MOST = 20_000;

/** Each is longer than the limit in bytes, though not always in characters. */
const LARGE: Readonly<Record<string, () => unknown>> = {
  text: () => 'x'.repeat(MOST),
  'text of several bytes': () => '€'.repeat(MOST / 3),
  'a value': () => ({ list: Array.from({ length: MOST / 4 }, () => 1) }),
  'a value that fits once': () => ({ text: 'x'.repeat(MOST / 2) }),
  'an image': () => image(Buffer.alloc(MOST), 'image/png'),
  'many blocks': () => Array.from({ length: 200 }, () => text('x'.repeat(MOST / 200))),
  'a whole result': () => ({ content: [], structuredContent: { text: 'x'.repeat(MOST) } }),
  'an error that a model would read': () => {
    throw new BadRequestException('x'.repeat(MOST));
  },
  'an error of the protocol': () => {
    throw new McpProtocolError(7, 'Seven', 'x'.repeat(MOST));
  },
  'a generator': async function* generator() {
    yield log('info', 'small');
    yield 'x'.repeat(MOST);
  },
  'a log message of a generator': async function* generator() {
    yield log('info', 'x'.repeat(MOST));
  },
};

const sized = z.object({ characters: z.number() });
const named = z.object({ what: z.string() });

@Injectable()
class Verbose {
  private readonly results = new Map(Object.entries(LARGE));
  refused: unknown;

  @Tool({ description: 'Says much', input: named })
  say({ what }: ToolArgs<typeof named>): unknown {
    return this.results.get(what)?.();
  }

  @Tool({ description: 'Says as much as asked', input: sized })
  exactly({ characters }: ToolArgs<typeof sized>): string {
    return 'x'.repeat(characters);
  }

  @Tool({ description: 'Goes on after a message that is too large' })
  async logs(context: McpContext): Promise<string> {
    await context.log('info', 'x'.repeat(MOST)).catch((error: unknown) => (this.refused = error));
    await context.log('info', 'small');
    return 'done';
  }

  @Resource({ uri: 'big://text', description: 'Large' })
  text(): string {
    return 'x'.repeat(MOST);
  }

  @Resource({ uri: 'big://bytes', description: 'Large' })
  bytes(): unknown {
    return blob(Buffer.alloc(MOST));
  }

  @Prompt({ description: 'Large' })
  prompt(): string {
    return 'x'.repeat(MOST);
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'verbose', version: '1.0.0', limits: { maxResultBytes: MOST } })],
  providers: [Verbose],
})
class VerboseModule {}

const WANTED = { meta: { 'io.modelcontextprotocol/logLevel': 'debug' } };
const INTERNAL = { code: -32603, message: 'Internal error', data: { reference: expect.any(String) } };

describe.each(ADAPTERS)('results that are too large on $name', (adapter) => {
  const served = shareApp(VerboseModule, adapter);

  it.each([
    ['tools/call', { name: 'say', arguments: { what: 'text' } }, 'tool "say"'],
    ['resources/read', { uri: 'big://text' }, 'resource "big://text"'],
    ['resources/read', { uri: 'big://bytes' }, 'resource "big://bytes"'],
    ['prompts/get', { name: 'prompt' }, 'prompt "prompt"'],
  ] as const)('are not sent, and the log has size and cure: %s %j', async (method, params, subject) => {
    const { message, status } = await served.app.send(method, params, WANTED);
    expect([status, message.error]).toEqual([200, INTERNAL]);
    const [line] = served.log.texts('error');
    expect(line).toContain(referenceOf(message));
    expect(line).toMatch(/has 2\d{4} bytes or more, and limits\.maxResultBytes is 20000\. Return it in pages/);
    expect(line).toContain(subject);
  });
});

describe.each(ADAPTERS)('results that are too large, after others, on $name', (adapter) => {
  const served = shareApp(VerboseModule, adapter);

  it.each(Object.keys(LARGE))('fail the call alone: %s', async (what) => {
    const { message } = await served.app.call('say', { what }, WANTED);
    expect(message.error).toEqual(INTERNAL);
    const next = await served.app.call('exactly', { characters: 1 });
    expect(next.message.result).toMatchObject({ content: [{ text: 'x' }] });
  });

  it('are distinguished from results that just fit', async () => {
    const { text: small } = await served.app.call('exactly', { characters: 0 });
    const room = MOST - Buffer.byteLength(small);
    expect(Buffer.byteLength((await served.app.call('exactly', { characters: room })).text)).toBe(MOST);
    expect((await served.app.call('exactly', { characters: room + 1 })).message.error).toEqual(INTERNAL);
  });

  it('may be log messages, whose method gets the error', async () => {
    const { message, messages } = await served.app.call('logs', {}, WANTED);
    expect(messages).toHaveLength(2);
    expect(message.result).toMatchObject({ content: [{ text: 'done' }] });
    expect(served.app.app.get(Verbose).refused).toMatchObject({
      code: 'MCP_RESULT_TOO_LARGE',
      message: expect.stringContaining('A log message of the tool "logs" is too large'),
    });
  });
});

describe.each(ADAPTERS)('a limit of one byte on $name', (adapter) => {
  @Module({
    imports: [McpModule.forRoot({ name: 'mute', version: '1.0.0', limits: { maxResultBytes: 1 } })],
    providers: [Verbose],
  })
  class MuteModule {}
  const served = shareApp(MuteModule, adapter);

  it('keeps errors of the protocol, and the reference of all other errors', async () => {
    expect((await served.app.send('tools/list')).message.error).toEqual(INTERNAL);
    expect((await served.app.call('exactly', { characters: 1 })).message.error).toEqual(INTERNAL);
    expect((await served.app.send('resources/nothing')).status).toBe(404);
  });
});
