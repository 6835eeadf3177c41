/** What Nest puts around a handler. */
type Layer = 'guards' | 'interceptors' | 'pipes' | 'filters';

/** Notes what Nest finds for one handler while it wraps it. A layer nobody has asked for counts as there. */
export class Surroundings {
  private readonly empty = new Set<Layer>();

  get hasPipes(): boolean {
    return !this.empty.has('pipes');
  }

  /** Whether Nest's wrapper would add nothing but promises. */
  get isBare(): boolean {
    return this.empty.size === 4;
  }

  /** A copy of one of Nest's creators, whose `member` finds what belongs to the layer. */
  watch<T extends object>(creator: T, layer: Layer, member: 'create' | 'createContext' = 'create'): T {
    const own = Object.create(creator) as T & Record<typeof member, (...place: unknown[]) => readonly unknown[]>;
    const find = own[member];
    if (typeof find !== 'function') return creator;
    return Object.assign(own, {
      [member]: (...place: unknown[]) => {
        const found = find.apply(own, place);
        if (found.length === 0) this.empty.add(layer);
        else this.empty.delete(layer);
        return found;
      },
    });
  }
}
