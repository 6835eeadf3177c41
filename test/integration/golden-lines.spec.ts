import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { McpServer } from '../../lib/index.js';
import { askInProcess, comparable } from '../support/golden-replies.js';
import { VECTORS } from '../support/golden-vectors.js';
import { goldenApp } from '../support/golden.module.js';
import { LinePipe } from '../support/line-pipe.js';

/** A pipe carries ASCII alone. */
const ESCAPED = /\\u([0-9a-f]{4})/g;
const unescaped = (text: string): string =>
  text.replaceAll(ESCAPED, (escape, digits: string) => {
    const unit = Number.parseInt(digits, 16);
    return unit < 0x80 ? escape : String.fromCharCode(unit);
  });

let context: INestApplicationContext;
let server: McpServer;
let pipe: LinePipe;

describe('golden lines over stdio', () => {
  beforeAll(async () => {
    context = await NestFactory.createApplicationContext(goldenApp(), { logger: false, abortOnError: false });
    server = context.get(McpServer, { strict: false });
    pipe = await LinePipe.open(server);
  });

  afterAll(async () => {
    await pipe[Symbol.asyncDispose]();
    await context.close();
  });

  describe('a message on a line', () => {
    it.each(VECTORS.map((vector, index) => ({ ...vector, index })))(
      '$index: $name, gets the answer that it gets everywhere',
      async ({ body, silent = false, unheard = false }) => {
        const text = await pipe.send(body, !silent && !unheard);
        const { text: elsewhere } = await askInProcess(server, body);
        expect(comparable(unescaped(text))).toBe(unheard ? '' : elsewhere);
      },
    );
  });
});
