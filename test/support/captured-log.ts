import type { INestApplication, LoggerService } from '@nestjs/common';

export interface LogLine {
  readonly level: 'log' | 'warn' | 'error';
  readonly text: string;
  readonly context: string;
  /** Of errors, what follows the message. */
  readonly stack: string;
}

/** Keeps what an app logs: `configure: (app) => log.attach(app)`. */
export class CapturedLog implements LoggerService {
  readonly lines: LogLine[] = [];

  attach(app: Pick<INestApplication, 'useLogger'>): void {
    app.useLogger(this);
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.keep('log', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.keep('warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.keep('error', message, rest);
  }

  texts(level: LogLine['level']): string[] {
    return this.lines.filter((line) => line.level === level).map(({ text }) => text);
  }

  private keep(level: LogLine['level'], message: unknown, rest: readonly unknown[]): void {
    const context = rest.at(-1);
    const stack = rest.length > 1 ? rest[0] : undefined;
    this.lines.push({
      level,
      text: String(message),
      context: typeof context === 'string' ? context : '',
      stack: typeof stack === 'string' ? stack : '',
    });
  }
}
