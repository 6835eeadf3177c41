import type { ComponentRegistry } from '../component.registry.js';
import type { RegisteredComponent } from '../registered-component.js';
import type { ComponentHandle } from './mcp-registry.js';

/** Replaces a component by another. */
export interface Replacement {
  build(current: RegisteredComponent, changes: object): Promise<RegisteredComponent>;
  /** Checks and replaces synchronously. */
  commit(current: RegisteredComponent, next: RegisteredComponent): void;
}

/** Handle of a component; refers to its current version after each update. */
export class LiveHandle implements ComponentHandle {
  private updates: Promise<void> = Promise.resolve();

  constructor(
    private component: RegisteredComponent,
    private readonly registry: ComponentRegistry,
    private readonly replacement: Replacement,
  ) {}

  get kind(): ComponentHandle['kind'] {
    return this.component.kind;
  }

  get name(): string {
    return nameOf(this.component);
  }

  get enabled(): boolean {
    return this.registry.isEnabled(this.component);
  }

  /** Updates run one after another, each based on the result of the previous one. */
  update(changes: object): Promise<void> {
    const update = this.updates.then(() => this.apply(changes));
    this.updates = update.catch(() => undefined);
    return update;
  }

  disable(): void {
    this.registry.setEnabled(this.component, false);
  }

  enable(): void {
    this.registry.setEnabled(this.component, true);
  }

  remove(): void {
    this.registry.remove(this.component);
  }

  private async apply(changes: object): Promise<void> {
    const next = await this.replacement.build(this.component, changes);
    this.replacement.commit(this.component, next);
    this.component = next;
  }
}

function nameOf(component: RegisteredComponent): string {
  switch (component.kind) {
    case 'tool':
    case 'prompt':
      return component.definition.name;
    case 'resource':
      return component.definition.uri;
    case 'template':
      return component.definition.uriTemplate;
    case 'completion':
      return component.argument;
    default:
      return component satisfies never;
  }
}
