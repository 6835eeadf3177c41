import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';

import {
  audio,
  contents,
  embedded,
  image,
  McpModule,
  Prompt,
  Resource,
  resourceLink,
  text,
  Tool,
  user,
  type ToolResult,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { shareApp } from '../support/shared-app.js';

/** Of any form: nobody but the client reads it. */
const meta = { 'example.com/deep': { list: [1, 'two', null, { three: 3 }] }, 'two words': true, plain: '' };

const annotations = { audience: ['user' as const], priority: 0.5, lastModified: '2026-07-28T12:00:00Z' };
const extras = { annotations, _meta: meta };
/** Another server may have sent them, and what it means is between it and the client. */
const strange = { annotations: { ...annotations, 'example.com/own': 1 } as never };

const part = { uri: 'a://b', text: 'x', _meta: meta };

const BLOCKS = [
  text('a', extras),
  text('b', strange),
  image('AQID', 'image/png', extras),
  audio('AQID', 'audio/wav', extras),
  resourceLink({ uri: 'a://b', name: 'b', ...extras }),
  embedded(part, extras),
];

@Injectable()
class Noted {
  @Tool({
    description: 'A tool',
    title: 'T',
    annotations: { title: 'T', readOnlyHint: true },
    icons: [{ src: 'https://example.com/a.png', sizes: ['48x48'], theme: 'dark', mimeType: 'image/png' }],
    meta: { 'example.com/deep': meta['example.com/deep'] },
  })
  blocks(): ToolResult {
    return { content: BLOCKS, _meta: meta };
  }

  @Tool({ description: 'Blocks alone' })
  list(): unknown {
    return BLOCKS;
  }

  @Resource({ uri: 'note://one', description: 'A note', annotations, meta: { 'example.com/a': 1 } })
  one(): unknown {
    return { ...contents(part, { uri: 'note://two', blob: 'AQID', _meta: meta }), _meta: meta };
  }

  @Prompt({ description: 'A prompt', meta: { 'example.com/a': 1 } })
  ask(): unknown {
    return { messages: BLOCKS.map((block) => user(block)), _meta: meta };
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'noted', version: '1.0.0' })], providers: [Noted] })
class NotedModule {}

describe.each(ADAPTERS)('metadata on $name', (adapter) => {
  const served = shareApp(NotedModule, adapter);

  const withoutServer = ({ _meta: given }: Readonly<Record<string, unknown>>): unknown => {
    const { 'io.modelcontextprotocol/serverInfo': server, ...rest } = given as Readonly<Record<string, unknown>>;
    expect(server).toMatchObject({ name: 'noted' });
    return rest;
  };

  it('of results and blocks of tools reaches the client as it was returned', async () => {
    const { result } = (await served.app.call('blocks')).message;
    expect(result['content']).toEqual(BLOCKS);
    expect(withoutServer(result)).toEqual(meta);
    expect((await served.app.call('list')).message.result['content']).toEqual(BLOCKS);
  });

  it('of resources and of their parts does, too', async () => {
    const { result } = (await served.app.send('resources/read', { uri: 'note://one' })).message;
    expect(result['contents']).toEqual([part, { uri: 'note://two', blob: 'AQID', _meta: meta }]);
    expect(withoutServer(result)).toEqual(meta);
  });

  it('of prompts and of their blocks does, too', async () => {
    const { result } = (await served.app.send('prompts/get', { name: 'ask' })).message;
    expect(result['messages']).toEqual(BLOCKS.map((content) => ({ role: 'user', content })));
    expect(withoutServer(result)).toEqual(meta);
  });

  it('of definitions is listed', async () => {
    const { tools } = (await served.app.send('tools/list')).message.result;
    expect(tools).toContainEqual({
      name: 'blocks',
      title: 'T',
      description: 'A tool',
      inputSchema: expect.anything(),
      annotations: { title: 'T', readOnlyHint: true },
      icons: [{ src: 'https://example.com/a.png', sizes: ['48x48'], theme: 'dark', mimeType: 'image/png' }],
      _meta: { 'example.com/deep': meta['example.com/deep'] },
    });
    const { resources } = (await served.app.send('resources/list')).message.result;
    expect(resources).toMatchObject([{ annotations, _meta: { 'example.com/a': 1 } }]);
    const { prompts } = (await served.app.send('prompts/list')).message.result;
    expect(prompts).toMatchObject([{ _meta: { 'example.com/a': 1 } }]);
  });
});
