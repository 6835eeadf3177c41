import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';

import { McpModule, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { serve } from '../support/served-app.js';

@Injectable()
class Counter {
  private count = 0;

  @Tool({ description: 'Counts calls of this app' })
  count_up(): { count: number } {
    this.count += 1;
    return { count: this.count };
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'counter', version: '1.0.0' })], providers: [Counter] })
class CounterModule {}

describe.each(ADAPTERS)('two apps of one module definition on $name', (adapter) => {
  it('are independent, in any order of their starts', async () => {
    await using first = await serve(CounterModule, adapter);
    await using second = await serve(CounterModule, adapter);
    await first.call('count_up');
    const { message } = await first.call('count_up');
    expect(message.result.structuredContent).toEqual({ count: 2 });
    expect((await second.call('count_up')).message.result.structuredContent).toEqual({ count: 1 });
  });
});
