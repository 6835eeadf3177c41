import { describe, expect, it } from '@jest/globals';
import { HttpException, Injectable, Module, UseGuards, type CanActivate } from '@nestjs/common';

import { McpModule, Prompt, Resource } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { serve } from '../support/served-app.js';

const limited: CanActivate = {
  canActivate: () => {
    throw new HttpException('Too Many Requests', 429);
  },
};

@Injectable()
@UseGuards(limited)
class Limited {
  @Resource({ uri: 'docs://exact', description: 'd' })
  resource(): string {
    return 'ran';
  }

  @Prompt({ description: 'd' })
  prompt(): string {
    return 'ran';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'limited', version: '1.0.0' })], providers: [Limited] })
class LimitedModule {}

describe.each(ADAPTERS)('a guard that answers 429 on $name', (adapter) => {
  it.each([
    ['resources/read', { uri: 'docs://exact' }],
    ['prompts/get', { name: 'prompt' }],
  ] as const)('does not tell the client of %s that its parameters are wrong', async (method, params) => {
    await using app = await serve(LimitedModule, adapter);
    const { message } = await app.send(method, params);
    expect(message.error.message).toContain('Too Many Requests');
    expect(message.error.code).toBe(429);
  });
});
