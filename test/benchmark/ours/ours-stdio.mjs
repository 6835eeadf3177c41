import { serveStdio } from '../../../.build/benchmark/transports/stdio/index.js';
import { announce } from '../measure/probe.mjs';

await serveStdio(() => import('./tools.module.mjs'), { logger: false });
announce();
