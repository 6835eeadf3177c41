import { Inject, Injectable, Logger } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import type { ComponentMetadata } from '../../decorators/component-metadata.js';
import { InvalidComponentError } from '../../errors/invalid-component.error.js';
import { MCP_SCOPE } from '../../mcp.constants.js';
import type { ComponentKind } from '../../model/component.js';
import { SchemaResolver } from '../../schema/schema.resolver.js';
import { buildComponent, missingDescription } from '../builders/component.builder.js';
import { ComponentRegistry } from '../component.registry.js';
import { refuseOverlapsOf, refuseStraysOf } from '../overlap.check.js';
import type { ComponentHost, RegisteredComponent } from '../registered-component.js';
import type { ServerScope } from '../server-scope.js';
import { type ComponentHandle, McpRegistry } from './mcp-registry.js';
import { HostFinder } from './host.finder.js';
import { LiveHandle, type Replacement } from './live.handle.js';

const VERBS = { tool: 'addTool', resource: 'addResource', prompt: 'addPrompt', completion: 'addCompletion' } as const;

type Kind = keyof typeof VERBS;

/** Builds first, then checks and adds synchronously, so that a failure leaves no trace. */
@Injectable()
export class RuntimeRegistry extends McpRegistry {
  private readonly logger = new Logger(McpRegistry.name);
  private readonly hosts: HostFinder;
  private readonly replacement: Replacement = {
    build: (current, changes) => this.rebuild(current, changes),
    commit: (current, next) => this.replace(current, next),
  };
  private readonly handles = new WeakMap<RegisteredComponent, LiveHandle>();

  constructor(
    modules: ModulesContainer,
    private readonly registry: ComponentRegistry,
    private readonly resolver: SchemaResolver,
    @Inject(MCP_SCOPE) private readonly scope: ServerScope,
  ) {
    super();
    this.hosts = new HostFinder(modules, { token: McpRegistry, instance: this });
  }

  override addTool(options: object, handler: unknown, enhancers?: object): Promise<ComponentHandle> {
    return this.add('tool', options, handler, enhancers);
  }

  override addResource(options: object, handler: unknown, enhancers?: object): Promise<ComponentHandle> {
    return this.add('resource', options, handler, enhancers);
  }

  override addPrompt(options: object, handler: unknown, enhancers?: object): Promise<ComponentHandle> {
    return this.add('prompt', options, handler, enhancers);
  }

  override addCompletion(options: object, handler: unknown, enhancers?: object): Promise<ComponentHandle> {
    return this.add('completion', options, handler, enhancers);
  }

  override find(kind: ComponentKind, name: string): ComponentHandle | undefined {
    const component = this.registry.holder(kind, name);
    return component && this.handleOf(component);
  }

  private async add(kind: Kind, options: object, handler: unknown, enhancers: unknown): Promise<ComponentHandle> {
    const label = labelOf(kind, options);
    if (typeof options !== 'object' || options === null) {
      throw new InvalidComponentError(label, 'its options must be an object.');
    }
    const host = await this.hosts.find(handler, label, enhancers);
    const component = await this.build(kind, options, host);
    this.check(component);
    this.registry.add(component);
    this.warn(component);
    return this.handleOf(component);
  }

  private rebuild({ kind, options, host }: RegisteredComponent, changes: object): Promise<RegisteredComponent> {
    const declared = kind === 'template' ? 'resource' : kind;
    const changed = { ...options, ...changes };
    const owner = host.carrier === undefined ? host.owner : labelOf(declared, changed);
    return this.build(declared, changed, { ...host, owner });
  }

  private replace(current: RegisteredComponent, next: RegisteredComponent): void {
    if (!this.registry.has(current)) {
      throw new InvalidComponentError(current.host.owner, 'it was removed. Add it again instead of updating it.');
    }
    this.check(next, current);
    this.registry.replace(current, next);
    const handle = this.handles.get(current);
    if (handle !== undefined) this.handles.set(next, handle);
    this.warn(next);
  }

  private async build(kind: Kind, options: object, host: ComponentHost): Promise<RegisteredComponent> {
    const { name, server } = options as { readonly name?: unknown; readonly server?: unknown };
    if (host.carrier !== undefined && kind !== 'completion' && typeof name !== 'string') {
      throw new InvalidComponentError(host.owner, 'the option "name" is missing. Only a method has a default name.');
    }
    if (server !== undefined && ![server].flat().every((named) => named === this.scope.server)) {
      throw new InvalidComponentError(
        host.owner,
        `this registry belongs to the server "${this.scope.server}". Use the registry of the other server, and leave out "server".`,
      );
    }
    return buildComponent({ kind, options: Object.freeze({ ...options }) } as ComponentMetadata, host, this.resolver);
  }

  /** Runs the same checks as the start-up of an app. */
  private check(component: RegisteredComponent, replaced?: RegisteredComponent): void {
    this.registry.refuseTaken(component, replaced);
    refuseOverlapsOf(component, this.registry, replaced);
    refuseStraysOf(component, this.registry, replaced);
  }

  private warn(component: RegisteredComponent): void {
    const warning = missingDescription(component, 'options');
    if (warning !== undefined) this.logger.warn(warning);
  }

  private handleOf(component: RegisteredComponent): LiveHandle {
    let handle = this.handles.get(component);
    if (handle === undefined) {
      handle = new LiveHandle(component, this.registry, this.replacement);
      this.handles.set(component, handle);
    }
    return handle;
  }
}

/** Label of a function in messages, since it has no class and method name. */
function labelOf(kind: Kind, options: unknown): string {
  const { name, uri, argument } = (options ?? {}) as Readonly<Record<string, unknown>>;
  return `registry.${VERBS[kind]}(${JSON.stringify((kind === 'completion' ? argument : (name ?? uri)) ?? null)})`;
}
