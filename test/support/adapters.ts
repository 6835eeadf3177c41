import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

export interface AdapterCase {
  readonly name: 'express' | 'fastify';
  readonly create: () => AbstractHttpAdapter;
}

export const EXPRESS: AdapterCase = { name: 'express', create: () => new ExpressAdapter() };
export const FASTIFY: AdapterCase = { name: 'fastify', create: () => new FastifyAdapter() };

const CHOICES: Readonly<Record<string, readonly AdapterCase[]>> = {
  express: [EXPRESS],
  fastify: [FASTIFY],
  all: [EXPRESS, FASTIFY],
};

/** Where every end-to-end behaviour is tested: on Express alone, or on what `MCP_TEST_ADAPTERS` names. */
export const ADAPTERS = chosenAdapters(process.env['MCP_TEST_ADAPTERS'] ?? 'express');

function chosenAdapters(choice: string): readonly AdapterCase[] {
  const adapters = CHOICES[choice];
  if (adapters === undefined) throw new Error(`MCP_TEST_ADAPTERS is "${choice}"; use express, fastify or all.`);
  return adapters;
}
