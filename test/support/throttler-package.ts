import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { compileFunction } from 'node:vm';

import * as common from '@nestjs/common';
import * as core from '@nestjs/core';

type Loaded = Record<string, unknown>;

const FRAMEWORK: Readonly<Record<string, unknown>> = {
  '@nestjs/common': common,
  '@nestjs/core': core,
  'reflect-metadata': {},
};

/**
 * The package is CommonJS that requires Nest, which Jest refuses where Nest is made of ES modules; Node does not. So its
 * files are run here, with the copy of Nest that the spec itself imports.
 */
function load(path: string, loaded: Map<string, Loaded>): Loaded {
  const known = loaded.get(path);
  if (known !== undefined) return known;
  const module = { exports: {} as Loaded };
  loaded.set(path, module.exports);
  const resolve = createRequire(path);
  const require = (id: string): unknown => {
    if (id in FRAMEWORK) return FRAMEWORK[id];
    return isBuiltin(id) ? resolve(id) : load(resolve.resolve(id), loaded);
  };
  const run = compileFunction(readFileSync(path, 'utf8'), ['exports', 'require', 'module', 'Reflect'], {
    filename: path,
  }) as (...scope: unknown[]) => void;
  // Of the test's own realm, where Nest keeps its metadata.
  run(module.exports, require, module, Reflect);
  loaded.set(path, module.exports);
  return module.exports;
}

const entry = createRequire(import.meta.url).resolve('@nestjs/throttler');

export const throttlerPackage = load(entry, new Map()) as unknown as typeof import('@nestjs/throttler');
