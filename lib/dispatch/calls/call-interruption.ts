const BRAND = Symbol.for('nestjs-mcp.call-interruption');

/** Thrown to stop a handler that needs an answer of its client; never reaches exception filters. */
export class CallInterruption extends Error {
  readonly [BRAND] = true;

  constructor() {
    super('The call needs an answer of its client.');
    this.name = 'CallInterruption';
  }

  static is(error: unknown): boolean {
    return typeof error === 'object' && error !== null && BRAND in error;
  }
}
