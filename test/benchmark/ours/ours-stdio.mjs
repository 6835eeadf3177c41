import { serveStdio } from '../../../.build/benchmark/transports/stdio/index.js';
import { announce } from '../measure/probe.mjs';

await serveStdio(async () => (await import('./tools.module.mjs')).ToolsModule.at({ http: false }), { logger: false });
announce();
