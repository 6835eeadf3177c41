import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';

import { findRootModule } from '../../../../lib/transports/stdio/root-module.finder.js';

@Module({ imports: [] })
class AppModule {}

@Module({ imports: [] })
class OtherModule {}

@Module({ providers: [] })
class LeafModule {}

class Service {}

const dynamic = { module: OtherModule, providers: [] };

describe('findRootModule', () => {
  it.each([
    ['a module', OtherModule, OtherModule],
    ['a dynamic module', dynamic, dynamic],
    ['a file with one module', { OtherModule, Service, answer: 42 }, OtherModule],
    ['a file with a module and a dynamic one of it', { dynamic }, dynamic],
    ['a file with several, one of them AppModule', { OtherModule, AppModule }, AppModule],
    ['a default export', { default: OtherModule }, OtherModule],
    ['the same module under two names', { OtherModule, Alias: OtherModule }, OtherModule],
    ['a file with another that imports nothing', { OtherModule, LeafModule }, OtherModule],
    ['a CommonJS file', { default: { AppModule, OtherModule }, 'module.exports': { AppModule } }, AppModule],
  ])('finds it in %s', (_name, loaded, module) => {
    expect(findRootModule(loaded)).toBe(module);
  });

  it.each([
    ['nothing', undefined, /the loader returned no module\. Export one class/],
    ['a text', 'AppModule', /the loader returned no module/],
    ['no module', { Service }, /exports no module\. Export one class with @Module/],
    ['several modules', { OtherModule, Another: AppModule }, /exports several modules\. .*return the class itself/],
    ['a class that is none', Service, /returned no module/],
  ])('says what to do about %s', (_name, loaded, message) => {
    expect(() => findRootModule(loaded)).toThrow(message);
  });
});
