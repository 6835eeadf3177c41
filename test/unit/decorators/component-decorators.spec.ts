import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';

import { Completion } from '../../../lib/decorators/completion.decorator.js';
import { Prompt } from '../../../lib/decorators/prompt.decorator.js';
import { Resource } from '../../../lib/decorators/resource.decorator.js';
import { Tool } from '../../../lib/decorators/tool.decorator.js';
import { COMPONENT_METADATA } from '../../../lib/mcp.constants.js';

const meta = { 'example.com/a': 1 };
const options = { name: 'given', description: 'd', meta };

class Host {
  @Tool(options)
  @Prompt()
  @Resource({ uri: 'a://b' })
  @Completion({ prompt: 'p', argument: 'a' })
  many(): void {}

  @Tool()
  bare(): void {}

  plain(): void {}
}

class Child extends Host {
  override bare(): void {}
}

const recorded = (host: object, method: string): { kind: string; options: object }[] =>
  (Reflect.getOwnMetadata(COMPONENT_METADATA, (host as Record<string, object>)[method]) ?? []) as {
    kind: string;
    options: object;
  }[];

describe('component decorators', () => {
  it('record their options in source order', () => {
    expect(recorded(Host.prototype, 'many')).toEqual([
      { kind: 'tool', options },
      { kind: 'prompt', options: {} },
      { kind: 'resource', options: { uri: 'a://b' } },
      { kind: 'completion', options: { prompt: 'p', argument: 'a' } },
    ]);
    expect(recorded(Host.prototype, 'bare')).toEqual([{ kind: 'tool', options: {} }]);
    expect(recorded(Host.prototype, 'plain')).toEqual([]);
  });

  it('record a frozen copy and do not change the options', () => {
    const [first] = recorded(Host.prototype, 'many');
    expect(first?.options).not.toBe(options);
    expect([Object.isFrozen(first), Object.isFrozen(first?.options), Object.isFrozen(options)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('record nothing for a method that overrides a decorated method', () => {
    expect(recorded(Child.prototype, 'bare')).toEqual([]);
    expect(recorded(Child.prototype, 'many')).toHaveLength(4);
  });

  it('record under a string key, which copies of the package share', () => {
    expect(COMPONENT_METADATA).toBe('mcp:components');
  });
});
