/** A promise that a test opens itself, instead of a sleep that races. */
export class Gate<T = void> {
  isOpen = false;
  private settle!: (value: T) => void;

  readonly opened: Promise<T> = new Promise((resolve) => {
    this.settle = resolve;
  });

  readonly open = (value: T): void => {
    this.isOpen = true;
    this.settle(value);
  };
}
