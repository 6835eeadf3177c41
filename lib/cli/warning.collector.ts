import type { LoggerService } from '@nestjs/common';

/** Keeps an app quiet, and what was said about its components. */
export class WarningCollector implements LoggerService {
  readonly warnings: string[] = [];

  warn(message: unknown, ...rest: unknown[]): void {
    if (rest.at(-1) === 'ComponentRegistrar') this.warnings.push(String(message));
  }

  log(): void {}

  error(): void {}
}
