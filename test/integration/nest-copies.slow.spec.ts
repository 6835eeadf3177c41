import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { CoreCopiesAlarm } from '../../lib/mcp.module.js';
import { CapturedLog } from '../support/captured-log.js';
import { nestjsMcp, runNode } from '../support/doctor.js';
import { ROOT } from '../support/markdown-page.js';

jest.setTimeout(60_000);

const ALARM =
  'The app and nestjs-mcp load two copies of @nestjs/core, so the app cannot start. Find them with npm ls @nestjs/core, and install one for both, for example with npm dedupe.';

const APP = `
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule } from 'nestjs-mcp';

export class AppModule {}
const options = { name: 'copied', version: '1.0.0' };
const later = McpModule.forRootAsync({ useFactory: async () => options });
Module({ imports: [process.env.LATER ? later : McpModule.forRoot(options)] })(AppModule);
`;
const MAIN = `
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.mjs';

const app = await NestFactory.create(AppModule);
await app.init();
`;

const home = `${ROOT}.build/nest-copies-${process.pid}`;

/** An app with a copy of its own of a package; the library below test loads the other one. */
function installCopy(name: string): string {
  const app = join(home, name.replace('@nestjs/', ''));
  mkdirSync(app, { recursive: true });
  writeFileSync(join(app, 'app.module.mjs'), APP);
  writeFileSync(join(app, 'main.mjs'), MAIN);
  cpSync(join(ROOT, 'node_modules', name), join(app, 'node_modules', name), { recursive: true });
  return app;
}

describe('an app with a separate copy of @nestjs/core', () => {
  let app = '';

  beforeAll(() => {
    app = installCopy('@nestjs/core');
  });

  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it.each(['', 'yes'])(
    'hears the cause before Nest complains of a provider, with late options: "%s"',
    async (later) => {
      const env = { ...process.env, NO_COLOR: '1', LATER: later };
      const { exitCode, stdout, stderr } = await runNode(['main.mjs'], { cwd: app, env });
      expect(exitCode).not.toBe(0);
      const said = `${stdout}${stderr}`.split('\n').filter((line) => / ERROR /.test(line));
      expect(said).toEqual([
        expect.stringMatching(/\[McpModule\] (.*)$/),
        expect.stringContaining("Nest can't resolve dependencies"),
      ]);
      expect(said[0]?.split('[McpModule] ')[1]).toBe(ALARM);
    },
  );

  it('gets both locations from the doctor', async () => {
    const { exitCode, stdout } = await nestjsMcp('doctor', join(app, 'app.module.mjs'));
    const [own, ours] = [app, ROOT].map((place) => join(place, 'node_modules/@nestjs/core'));
    expect(exitCode).toBe(2);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      `- There are two copies of @nestjs/core: the app loads ${own}, nestjs-mcp loads ${ours}, so Nest finds nothing of what the other copy provides, and the app cannot start. Install one for both, for example with npm dedupe. [nest-copies]`,
      'The app does not start.',
    ]);
  });
});

describe('an app with a separate copy of @nestjs/common', () => {
  it('starts, and the doctor reports what does not work', async () => {
    const app = installCopy('@nestjs/common');
    try {
      const { exitCode, stdout } = await nestjsMcp('doctor', join(app, 'app.module.mjs'), '--json');
      const [own, ours] = [app, ROOT].map((place) => join(place, 'node_modules/@nestjs/common'));
      const text = `There are two copies of @nestjs/common: the app loads ${own}, nestjs-mcp loads ${ours}, so the logger of the app and its filters of HttpException miss what nestjs-mcp logs and throws. Install one for both, for example with npm dedupe.`;
      expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { findings: [{ check: 'nest-copies', text }] }]);
    } finally {
      rmSync(app, { recursive: true, force: true });
    }
  });
});

describe('the alarm of copies', () => {
  const log = new CapturedLog();

  afterEach(() => Logger.overrideLogger(['error', 'warn', 'log']));

  it('is raised where the container of modules is missing, and only there', () => {
    Logger.overrideLogger(log);
    expect(new CoreCopiesAlarm(new ModulesContainer())).toBeDefined();
    expect(log.lines).toEqual([]);
    expect(new CoreCopiesAlarm(undefined)).toBeDefined();
    expect(log.texts('error')).toEqual([ALARM]);
  });
});
