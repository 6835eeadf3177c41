import type { LoggerService } from '@nestjs/common';

/** Says nothing while an app starts, and keeps what it was told about components. */
export class WarningCollector implements LoggerService {
  readonly warnings: string[] = [];

  warn(message: unknown, ...rest: unknown[]): void {
    if (rest.at(-1) === 'ComponentRegistrar') this.warnings.push(String(message));
  }

  log(): void {}

  error(): void {}
}
