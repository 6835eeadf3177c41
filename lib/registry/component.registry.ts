import type { ComponentKind } from '../model/component.js';
import type { CompletionTarget } from '../model/operation.js';
import { canonicalUri } from '../uri/canonical-uri.js';
import { ComponentShelf } from './component.shelf.js';
import { PagedList, type PageLookup } from './list-page.js';
import type {
  CompletionComponent,
  ListedComponent,
  PromptComponent,
  RegisteredComponent,
  ResourceComponent,
  TemplateComponent,
  ToolComponent,
} from './registered-component.js';

/** A template that matched, and the variables from the URI. */
export interface TemplateHit {
  readonly component: TemplateComponent;
  readonly variables: Readonly<Record<string, string | readonly string[]>>;
}

/** Lists whose changes clients can subscribe to; templates count as resources. */
export type ChangedList = 'tools' | 'prompts' | 'resources';

/** Called with the changed lists; with an empty set if no list has changed, but other properties of the server may have. */
export type RegistryListener = (changed: ReadonlySet<ChangedList>) => void;

const LISTS: Readonly<Record<ComponentKind, ChangedList>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'resources',
};

const completionKey = (target: CompletionTarget, argument: string): string =>
  JSON.stringify([target.kind, target.kind === 'prompt' ? target.name : target.uri, argument]);

/** Normalises a URI, since equal URIs may be spelled with or without escapes. */
export const spellingOf = (uri: string): string => canonicalUri(uri) ?? uri;

/** The components of one server, with lookup by name and a stable order. */
export class ComponentRegistry {
  private readonly shelves = {
    tool: new ComponentShelf<ToolComponent>(({ definition }) => definition.name),
    prompt: new ComponentShelf<PromptComponent>(({ definition }) => definition.name),
    resource: new ComponentShelf<ResourceComponent>(({ definition }) => spellingOf(definition.uri)),
    template: new ComponentShelf<TemplateComponent>(({ definition }) => definition.uriTemplate),
    completion: new ComponentShelf<CompletionComponent>(({ target, argument }) => completionKey(target, argument)),
  };
  private readonly lists = new Map<ComponentKind, PagedList>();
  private readonly listeners: RegistryListener[] = [];
  private complete = false;

  constructor(private readonly pageSize: number) {}

  /** Whether the discovery of the app's components is complete. */
  get isComplete(): boolean {
    return this.complete;
  }

  /** Marks the discovery as complete; from now on listeners are called. */
  finishDiscovery(): void {
    this.complete = true;
  }

  /** Registers a listener, which is called synchronously after each change. */
  onChange(listener: RegistryListener): void {
    this.listeners.push(listener);
  }

  /** @throws DuplicateComponentError when its name, URI or template belongs to a component other than `replaced`. */
  refuseTaken(component: RegisteredComponent, replaced?: RegisteredComponent): void {
    this.shelfOf(component).refuseTaken(component, replaced);
  }

  /** @throws DuplicateComponentError when its name, URI or template is taken. */
  add(component: RegisteredComponent): void {
    this.shelfOf(component).add(component);
    this.changed(component);
  }

  /**
   * Replaces a component at the same position. A resource that becomes a template, or the reverse, moves to the end.
   *
   * @throws DuplicateComponentError when its name, URI or template belongs to a third component.
   */
  replace(old: RegisteredComponent, next: RegisteredComponent): void {
    const enabled = this.isEnabled(old);
    if (old.kind === next.kind) {
      this.shelfOf(old).replace(old, next);
    } else {
      this.shelfOf(next).add(next);
      this.shelfOf(next).setEnabled(next, enabled);
      this.shelfOf(old).remove(old);
    }
    // Disabled components and choices change no list, but they may change the capabilities.
    if (enabled && !looksEqual(old, next)) this.changed(old, next);
    else this.changed();
  }

  /** Removes a component, and the completions of a prompt or template. */
  remove(component: RegisteredComponent): void {
    const enabled = this.isEnabled(component);
    if (!this.has(component)) return;
    this.shelfOf(component).remove(component);
    for (const completion of this.completionsOf(component)) this.shelves.completion.remove(completion);
    if (enabled) this.changed(component);
    else this.changed();
  }

  /** Enables or disables a component. A disabled one is neither listed nor found, but keeps its position and name. */
  setEnabled(component: RegisteredComponent, enabled: boolean): void {
    if (!this.has(component) || this.isEnabled(component) === enabled) return;
    this.shelfOf(component).setEnabled(component, enabled);
    this.changed(component);
  }

  isEnabled(component: RegisteredComponent): boolean {
    return this.shelfOf(component).isEnabled(component);
  }

  has(component: RegisteredComponent): boolean {
    return this.shelfOf(component).has(component);
  }

  findTool(name: string): ToolComponent | undefined {
    return this.shelves.tool.find(name);
  }

  findPrompt(name: string): PromptComponent | undefined {
    return this.shelves.prompt.find(name);
  }

  findResource(uri: string): ResourceComponent | undefined {
    return this.shelves.resource.find(spellingOf(uri));
  }

  findTemplate(source: string): TemplateComponent | undefined {
    return this.shelves.template.find(source);
  }

  /** Finds the template that matches. If an overlap could not be detected at start-up, the first declared template wins. */
  matchTemplate(uri: string): TemplateHit | undefined {
    for (const component of this.shelves.template.offered()) {
      const match = component.template.match(uri);
      if (match.kind === 'match') return { component, variables: match.values };
    }
    return undefined;
  }

  /** Finds the declared completion, or else the choices in the schema of the argument. */
  findCompletion(target: CompletionTarget, argument: string): CompletionComponent | undefined {
    const key = completionKey(target, argument);
    const { completion } = this.shelves;
    if (completion.holder(key) !== undefined) return completion.find(key);
    const component = target.kind === 'prompt' ? this.findPrompt(target.name) : this.findTemplate(target.uri);
    return component?.choices?.get(argument);
  }

  /** Finds the component with a name, URI or template source, including disabled ones. */
  holder<K extends ComponentKind>(kind: K, name: string): Extract<ListedComponent, { kind: K }> | undefined {
    const shelf: ComponentShelf<ListedComponent> = this.shelves[kind] as never;
    return shelf.holder(kind === 'resource' ? spellingOf(name) : name) as
      | Extract<ListedComponent, { kind: K }>
      | undefined;
  }

  page(kind: ComponentKind, cursor: string | undefined): PageLookup {
    let list = this.lists.get(kind);
    if (list === undefined) {
      list = this.pagesOf(kind, this.listed(kind));
      this.lists.set(kind, list);
    }
    return list.page(cursor);
  }

  /** Pages some components as a separate list, whose cursors are not valid for other lists. */
  pagesOf(kind: ComponentKind, components: readonly ListedComponent[]): PagedList {
    return new PagedList(
      kind,
      components.map(({ definition }) => definition),
      this.pageSize,
    );
  }

  /** The enabled components of a kind; the same array until it changes. */
  listed(kind: ComponentKind): readonly ListedComponent[] {
    return this.shelves[kind].offered();
  }

  /** All components of a kind, including disabled ones. */
  held<K extends RegisteredComponent['kind']>(kind: K): readonly Extract<RegisteredComponent, { kind: K }>[] {
    return this.shelves[kind].held() as readonly RegisteredComponent[] as readonly Extract<
      RegisteredComponent,
      { kind: K }
    >[];
  }

  /** All components, including disabled ones. */
  all(): readonly RegisteredComponent[] {
    return Object.values(this.shelves).flatMap((shelf): readonly RegisteredComponent[] => shelf.held());
  }

  /** The completions of a prompt or template. */
  completionsOf(component: RegisteredComponent): readonly CompletionComponent[] {
    return this.shelves.completion
      .held()
      .filter(({ target }) =>
        target.kind === 'prompt'
          ? component.kind === 'prompt' && component.definition.name === target.name
          : component.kind === 'template' && component.definition.uriTemplate === target.uri,
      );
  }

  private shelfOf<T extends RegisteredComponent>(component: T): ComponentShelf<T> {
    return this.shelves[component.kind] as unknown as ComponentShelf<T>;
  }

  private changed(...components: readonly RegisteredComponent[]): void {
    const kinds = components.map(({ kind }) => kind).filter((kind) => kind !== 'completion');
    for (const kind of kinds) this.lists.delete(kind);
    if (!this.complete) return;
    const lists = new Set(kinds.map((kind) => LISTS[kind]));
    for (const listener of this.listeners) listener(lists);
  }
}

function looksEqual(old: RegisteredComponent, next: RegisteredComponent): boolean {
  if (old.kind === 'completion' || next.kind === 'completion' || old.kind !== next.kind) return false;
  return JSON.stringify(old.definition) === JSON.stringify(next.definition);
}
