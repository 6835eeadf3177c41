import { DuplicateComponentError } from '../errors/duplicate-component.error.js';
import type { ComponentKind } from '../model/component.js';
import type { CompletionTarget } from '../model/operation.js';
import { canonicalUri } from '../uri/canonical-uri.js';
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

/** A template that matched, and what it took out of the URI. */
export interface TemplateHit {
  readonly component: TemplateComponent;
  readonly variables: Readonly<Record<string, string | readonly string[]>>;
}

const completionKey = (target: CompletionTarget, argument: string): string =>
  JSON.stringify([target.kind, target.kind === 'prompt' ? target.name : target.uri, argument]);

/** Equal URIs may be spelled with escapes or without. */
const spellingOf = (uri: string): string => canonicalUri(uri) ?? uri;

/** What one server offers: lookup by name, stable order. */
export class ComponentRegistry {
  private readonly tools = new Map<string, ToolComponent>();
  private readonly prompts = new Map<string, PromptComponent>();
  private readonly resources = new Map<string, ResourceComponent>();
  private readonly templates = new Map<string, TemplateComponent>();
  private readonly completions = new Map<string, CompletionComponent>();
  private readonly lists = new Map<ComponentKind, PagedList>();

  constructor(private readonly pageSize: number) {}

  /** @throws DuplicateComponentError when its name, URI or template is taken. */
  add(component: RegisteredComponent): void {
    switch (component.kind) {
      case 'tool':
        return claim(this.tools, component.definition.name, component, this.lists);
      case 'prompt':
        return claim(this.prompts, component.definition.name, component, this.lists);
      case 'resource':
        return claim(this.resources, spellingOf(component.definition.uri), component, this.lists);
      case 'template':
        return claim(this.templates, component.definition.uriTemplate, component, this.lists);
      case 'completion':
        return claim(this.completions, completionKey(component.target, component.argument), component, this.lists);
      default:
        return component satisfies never;
    }
  }

  findTool(name: string): ToolComponent | undefined {
    return this.tools.get(name);
  }

  findPrompt(name: string): PromptComponent | undefined {
    return this.prompts.get(name);
  }

  findResource(uri: string): ResourceComponent | undefined {
    return this.resources.get(spellingOf(uri));
  }

  findTemplate(source: string): TemplateComponent | undefined {
    return this.templates.get(source);
  }

  /** At most one template matches where overlaps can be told at boot; otherwise the first declared wins. */
  matchTemplate(uri: string): TemplateHit | undefined {
    for (const component of this.templates.values()) {
      const match = component.template.match(uri);
      if (match.kind === 'match') return { component, variables: match.values };
    }
    return undefined;
  }

  findCompletion(target: CompletionTarget, argument: string): CompletionComponent | undefined {
    return this.completions.get(completionKey(target, argument));
  }

  page(kind: ComponentKind, cursor: string | undefined): PageLookup {
    let list = this.lists.get(kind);
    if (list === undefined) {
      const items = this.listed(kind).map((component) => component.definition);
      list = new PagedList(kind, items, this.pageSize);
      this.lists.set(kind, list);
    }
    return list.page(cursor);
  }

  listed(kind: ComponentKind): readonly ListedComponent[] {
    switch (kind) {
      case 'tool':
        return [...this.tools.values()];
      case 'prompt':
        return [...this.prompts.values()];
      case 'resource':
        return [...this.resources.values()];
      case 'template':
        return [...this.templates.values()];
      default:
        return kind satisfies never;
    }
  }

  all(): readonly RegisteredComponent[] {
    return [this.tools, this.prompts, this.resources, this.templates, this.completions].flatMap((map) => [
      ...(map.values() as Iterable<RegisteredComponent>),
    ]);
  }
}

function claim<T extends RegisteredComponent>(
  map: Map<string, T>,
  key: string,
  component: T,
  lists: Map<ComponentKind, PagedList>,
): void {
  const holder = map.get(key);
  if (holder !== undefined) {
    throw new DuplicateComponentError(component.kind, key, [holder.host.owner, component.host.owner]);
  }
  map.set(key, component);
  lists.clear();
}
