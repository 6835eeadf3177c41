import type { Change } from '../model/change.js';
import { canonicalUri } from '../uri/canonical-uri.js';
import type { SubscriptionStream } from './subscription.stream.js';

type Visit = (stream: SubscriptionStream, key: string, change: Change) => void;
type ResourceUpdate = Extract<Change, { kind: 'resource-updated' }>;

/** Finds the streams that subscribed to a change, so that a change visits no others. */
export class SubscriptionIndex {
  private readonly all = new Set<SubscriptionStream>();
  private readonly lists = {
    'tools-changed': new Set<SubscriptionStream>(),
    'prompts-changed': new Set<SubscriptionStream>(),
    'resources-changed': new Set<SubscriptionStream>(),
  } as const;
  /** By canonical URI, each stream with its own spelling. */
  private readonly watchers = new Map<string, Map<SubscriptionStream, string>>();

  get size(): number {
    return this.all.size;
  }

  get watched(): number {
    return this.watchers.size;
  }

  streams(): readonly SubscriptionStream[] {
    return [...this.all];
  }

  add(stream: SubscriptionStream): void {
    const { tools, prompts, resources, uris } = stream.filter;
    this.all.add(stream);
    if (tools) this.lists['tools-changed'].add(stream);
    if (prompts) this.lists['prompts-changed'].add(stream);
    if (resources) this.lists['resources-changed'].add(stream);
    for (const uri of uris) this.watch(stream, uri);
  }

  /** Leaves a stream with some of its URIs. */
  narrow(stream: SubscriptionStream, uris: readonly string[]): void {
    if (!this.all.has(stream)) return;
    const kept = new Set(uris);
    for (const uri of stream.filter.uris) if (!kept.has(uri)) this.unwatch(stream, uri);
    // The stream may also have subscribed to another spelling of one of them.
    for (const uri of uris) this.watch(stream, uri);
  }

  /** Repeated calls do nothing. */
  remove(stream: SubscriptionStream): void {
    if (!this.all.delete(stream)) return;
    for (const list of Object.values(this.lists)) list.delete(stream);
    for (const uri of stream.filter.uris) this.unwatch(stream, uri);
  }

  /**
   * Calls `visit` for each stream that subscribed to the change, including streams that are added meanwhile. Streams
   * with the same spelling of a URI get the same change object.
   */
  visit(change: Change, visit: Visit): void {
    if (change.kind === 'resource-updated') {
      this.visitWatchers(change, visit);
      return;
    }
    for (const stream of this.lists[change.kind]) visit(stream, change.kind, change);
  }

  private visitWatchers(change: ResourceUpdate, visit: Visit): void {
    const key = canonicalUri(change.uri);
    const watchers = key === undefined ? undefined : this.watchers.get(key);
    if (key === undefined || watchers === undefined) return;
    const spelled = new Map<string, Change>([[change.uri, change]]);
    for (const [stream, uri] of watchers) {
      let own = spelled.get(uri);
      if (own === undefined) spelled.set(uri, (own = Object.freeze({ kind: change.kind, uri })));
      visit(stream, key, own);
    }
  }

  /** If one filter has two spellings of a URI, the first counts. */
  private watch(stream: SubscriptionStream, uri: string): void {
    const key = canonicalUri(uri);
    if (key === undefined) return;
    const watchers = this.watchers.get(key);
    if (watchers === undefined) this.watchers.set(key, new Map([[stream, uri]]));
    else if (!watchers.has(stream)) watchers.set(stream, uri);
  }

  private unwatch(stream: SubscriptionStream, uri: string): void {
    const key = canonicalUri(uri);
    if (key === undefined) return;
    const watchers = this.watchers.get(key);
    watchers?.delete(stream);
    if (watchers?.size === 0) this.watchers.delete(key);
  }
}
