import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

export interface AdapterCase {
  readonly name: 'express' | 'fastify';
  readonly create: () => AbstractHttpAdapter;
}

/** Every end-to-end behaviour holds on both. */
export const ADAPTERS: readonly AdapterCase[] = [
  { name: 'express', create: () => new ExpressAdapter() },
  { name: 'fastify', create: () => new FastifyAdapter() },
];
