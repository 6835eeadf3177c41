import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { DynamicModule, Type } from '@nestjs/common';

import type { AdapterCase } from './adapters.js';
import { CapturedLog } from './captured-log.js';
import { serve, type ServedApp, type ServeOptions } from './served-app.js';

export interface SharedApp {
  readonly app: ServedApp;
  /** What the app logged during this test. */
  readonly log: CapturedLog;
}

/** A test that sends nothing may take longer than the 5 s after which Node closes a connection that the next test uses. */
const KEEP_ALIVE_MS = 60_000;

/** One app for the tests of a block, for tables of cases that leave no traces; starting an app for each would take longer than they do. */
export function shareApp(
  module: Type<unknown> | DynamicModule,
  adapter: AdapterCase,
  options: ServeOptions = {},
): SharedApp {
  const log = new CapturedLog();
  let served: ServedApp | undefined;
  beforeAll(async () => {
    served = await serve(module, adapter, {
      ...options,
      configure: async (app) => {
        log.attach(app);
        await options.configure?.(app);
      },
    });
    served.app.getHttpServer().keepAliveTimeout = KEEP_ALIVE_MS;
  });
  beforeEach(() => {
    log.lines.length = 0;
  });
  afterAll(async () => {
    await served?.[Symbol.asyncDispose]();
  });
  return {
    log,
    get app() {
      if (served === undefined) throw new Error('The app is there once the block runs.');
      return served;
    },
  };
}
