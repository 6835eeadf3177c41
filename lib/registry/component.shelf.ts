import { DuplicateComponentError } from '../errors/duplicate-component.error.js';
import type { RegisteredComponent } from './registered-component.js';

/** Components of one kind by name, in the order of declaration. Disabled components keep their position and name. */
export class ComponentShelf<T extends RegisteredComponent> {
  private entries = new Map<string, T>();
  private readonly disabled = new Set<T>();
  private kept: readonly T[] | undefined;

  constructor(private readonly keyOf: (component: T) => string) {}

  /** Finds an enabled component. */
  find(key: string): T | undefined {
    const component = this.entries.get(key);
    // Runs for every call, and disabled components are rare.
    if (component === undefined || this.disabled.size === 0) return component;
    return this.disabled.has(component) ? undefined : component;
  }

  /** Finds the component with a name, including disabled ones. */
  holder(key: string): T | undefined {
    return this.entries.get(key);
  }

  /** The enabled components in order; the same array until it changes. */
  offered(): readonly T[] {
    this.kept ??= this.held().filter((component) => !this.disabled.has(component));
    return this.kept;
  }

  held(): readonly T[] {
    return [...this.entries.values()];
  }

  has(component: T): boolean {
    return this.entries.get(this.keyOf(component)) === component;
  }

  isEnabled(component: T): boolean {
    return this.has(component) && !this.disabled.has(component);
  }

  /** @throws DuplicateComponentError when its name belongs to a component other than `replaced`. */
  refuseTaken(component: T, replaced?: RegisteredComponent): void {
    const key = this.keyOf(component);
    const holder = this.entries.get(key);
    if (holder === undefined || holder === replaced) return;
    const { owner, carrier } = component.host;
    // Two functions with one name have the same label, but are not one class that is provided twice.
    const other = holder.host.owner === owner && carrier !== undefined ? `an earlier ${owner}` : holder.host.owner;
    throw new DuplicateComponentError(component.kind, key, [other, owner]);
  }

  /** @throws DuplicateComponentError when its name is taken. */
  add(component: T): void {
    this.refuseTaken(component);
    this.entries.set(this.keyOf(component), component);
    this.kept = undefined;
  }

  /** Replaces `old` at the same position, under the name of `next`. */
  replace(old: T, next: T): void {
    this.refuseTaken(next, old);
    const key = this.keyOf(next);
    if (key === this.keyOf(old)) {
      this.entries.set(key, next);
    } else {
      const entries = [...this.entries].map(([name, held]) =>
        held === old ? ([key, next] as const) : ([name, held] as const),
      );
      this.entries = new Map(entries);
    }
    if (this.disabled.delete(old)) this.disabled.add(next);
    this.kept = undefined;
  }

  remove(component: T): void {
    this.entries.delete(this.keyOf(component));
    this.disabled.delete(component);
    this.kept = undefined;
  }

  setEnabled(component: T, enabled: boolean): void {
    if (enabled) this.disabled.delete(component);
    else this.disabled.add(component);
    this.kept = undefined;
  }
}
