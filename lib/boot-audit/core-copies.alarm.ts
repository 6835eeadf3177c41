import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

const TWO_CORES =
  'The app and nestjs-mcp load two copies of @nestjs/core, so the app cannot start. Find them with npm ls @nestjs/core, and install one for both, for example with npm dedupe.';

/**
 * Names the cause where the app runs on another copy of `@nestjs/core` than this package. Every app has a container of
 * modules, so it is missing only under the class of the other copy; Nest itself then complains of a provider.
 */
@Injectable()
export class CoreCopiesAlarm {
  constructor(@Optional() @Inject(ModulesContainer) modules: ModulesContainer | undefined) {
    if (modules === undefined) new Logger('McpModule').error(TWO_CORES);
  }
}
