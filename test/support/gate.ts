/** A promise that a test opens itself, instead of a sleep that races. */
export class Gate<T = void> {
  private settle!: (value: T) => void;

  readonly opened: Promise<T> = new Promise((resolve) => {
    this.settle = resolve;
  });

  readonly open = (value: T): void => this.settle(value);
}
