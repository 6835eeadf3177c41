import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';

import { McpModule, Resource, safeJoin, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { shareApp } from '../support/shared-app.js';

const INPUT = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };

@Injectable()
class Shelf {
  @Resource({ uri: 'files://shelf/{+path}', description: 'A file below the root' })
  file({ path }: { path: string }): string {
    return safeJoin('/srv/shelf', path);
  }

  @Tool({ description: 'The place of a file', input: INPUT })
  locate({ path }: { path: string }): string {
    return safeJoin('/srv/shelf', path);
  }

  @Resource({ uri: 'menu://café', description: 'Declared with a letter beyond ASCII' })
  menu(): string {
    return 'espresso';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'paths', version: '1.0.0' })], providers: [Shelf] })
class ShelfModule {}

describe.each(ADAPTERS)('paths and spellings on $name', (adapter) => {
  const shared = shareApp(ShelfModule, adapter);

  it('reads below the root', async () => {
    const { message } = await shared.app.send('resources/read', { uri: 'files://shelf/a/b.txt' });
    expect(message.result['contents'][0].text).toBe('/srv/shelf/a/b.txt');
  });

  it.each(['files://shelf/../etc/passwd', 'files://shelf/a/%2e%2e/b', 'files://shelf/%2Fetc', 'files://shelf/a%00b'])(
    'finds nothing at %s, and logs no word of it',
    async (uri) => {
      const { message } = await shared.app.send('resources/read', { uri });
      expect(message.error).toMatchObject({ code: -32602, data: { uri } });
      expect(message.error.message).not.toContain('srv');
      expect(shared.log.texts('error')).toEqual([]);
      expect(shared.log.texts('warn')).toEqual([
        expect.stringMatching(/^read-resource "files:\/\/shelf\/\{\+path\}": resource-not-found after \d+ ms$/),
      ]);
    },
  );

  it.each([' ', '\t', '\0', '"', '<', '>', '\\', '^', '`', '{', '|', '}', '%', '%zz', '\u2028'])(
    'finds nothing and watches nothing with %j in its URI',
    async (text) => {
      for (const uri of [`files://shelf/a${text}b`, `menu://café${text}`]) {
        const { message } = await shared.app.send('resources/read', { uri });
        expect(message.error).toEqual({ code: -32602, message: 'Resource not found', data: { uri } });
        const notifications = { resourceSubscriptions: [uri] };
        const watched = await shared.app.send('subscriptions/listen', { notifications });
        expect(watched.message.error).toMatchObject({ code: -32602 });
      }
    },
  );

  it('returns an error to the caller of a tool whose path is refused', async () => {
    const { message } = await shared.app.call('locate', { path: '../x' });
    expect(message.result).toMatchObject({ isError: true });
    expect(JSON.stringify(message.result)).not.toContain('srv');
  });

  it.each(['menu://café', 'menu://caf%C3%A9', 'menu://caf%c3%a9'])('reads %s in every spelling', async (uri) => {
    const { message } = await shared.app.send('resources/read', { uri });
    expect(message.result['contents'][0]).toEqual({ uri, mimeType: 'text/plain', text: 'espresso' });
  });
});
