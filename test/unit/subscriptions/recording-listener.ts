import type { ChangeListener } from '../../../lib/dispatch/operations/subscription.port.js';
import type { Change, ChangeFilter } from '../../../lib/model/change.js';

export const wants = (filter: Partial<ChangeFilter>): ChangeFilter => ({
  tools: false,
  prompts: false,
  resources: false,
  uris: [],
  ...filter,
});

export const updated = (uri: string): Change => ({ kind: 'resource-updated', uri });

export const nameOf = (change: Change): string => (change.kind === 'resource-updated' ? change.uri : change.kind);

/** Keeps what it is told; a test says when it has written. */
export class RecordingListener implements ChangeListener {
  readonly changes: Change[] = [];
  readonly ends: string[] = [];
  readonly writes: (() => void)[] = [];

  constructor(private readonly whenDelivered: (change: Change, written: () => void) => void = () => {}) {}

  get heard(): string[] {
    return this.changes.map(nameOf);
  }

  deliver(change: Change, written: () => void): void {
    this.changes.push(change);
    this.writes.push(written);
    this.whenDelivered(change, written);
  }

  end(reason: 'complete' | 'failed'): void {
    this.ends.push(reason);
  }

  /** Says that the latest change was written. */
  write(): void {
    this.writes.at(-1)?.();
  }
}

/** One that has written as soon as it was told. */
export const quickListener = (): RecordingListener => new RecordingListener((_change, written) => written());
