import { createRequire } from 'node:module';

import { expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { firstValueFrom, of } from 'rxjs';

const require = createRequire(import.meta.url);

@Injectable()
class Finder {
  constructor(readonly discovery: DiscoveryService) {}
}

@Module({ imports: [DiscoveryModule], providers: [Finder] })
class FinderModule {}

it('gives every framework package in its Nest 11 copy', () => {
  const packages = ['common', 'core', 'testing', 'platform-express', 'platform-fastify'];
  for (const name of packages) {
    const path = require.resolve(`@nestjs/${name}`);
    expect(path).toContain('/test/nest-11/node_modules/@nestjs/');
    expect(require(`@nestjs/${name}/package.json`)).toMatchObject({ version: expect.stringMatching(/^11\./) });
  }
  expect(require.resolve('rxjs')).toContain('/test/nest-11/node_modules/rxjs/');
  expect(require.resolve('reflect-metadata')).toContain('/test/nest-11/node_modules/reflect-metadata/');
});

it('gives the built package where a spec names its source', () => {
  expect(require.resolve('../../lib/index.js')).toMatch(/\/dist\/esm\/index\.js$/);
});

it('injects between its copies by named imports of CommonJS', async () => {
  const module = await Test.createTestingModule({ imports: [FinderModule] }).compile();
  expect(module.get(Finder).discovery).toBeInstanceOf(DiscoveryService);
  await module.close();
  expect(NestFactory).toBeDefined();
  expect(await firstValueFrom(of(1))).toBe(1);
});
