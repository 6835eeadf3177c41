import { Injectable } from '@nestjs/common';
import { ApplicationConfig, ModuleRef, type ContextId } from '@nestjs/core';

import { McpError } from '../../errors/mcp.error.js';
import { methodOf } from '../../registry/component-host.js';
import type { ComponentHost, HostModule, InstanceWrapper, Method } from '../../registry/registered-component.js';

/** The method of a call with the enhancers of its registration, and the request context of its instance, if it is not static. */
export interface CallTarget {
  readonly instance: object;
  readonly method: Method;
  readonly contextId?: ContextId;
}

type Collection = ReadonlyMap<unknown, InstanceWrapper>;

/** Nest's injector, as the router uses it for request-scoped controllers. */
interface ContextLoader {
  loadInjectable(
    wrapper: InstanceWrapper,
    module: HostModule,
    contextId: ContextId,
    inquirer: InstanceWrapper,
  ): Promise<void>;
  loadPerContext(
    instance: unknown,
    module: HostModule,
    collection: Collection,
    contextId: ContextId,
    wrapper: InstanceWrapper,
  ): Promise<object>;
}

/** Finds the instance and method of a host: the static instance, or one per call if the host or its enhancers are transient or request-scoped. */
@Injectable()
export class HostScope {
  private readonly loader: ContextLoader;

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly config: ApplicationConfig,
  ) {
    const loader = (moduleRef as unknown as { injector?: ContextLoader }).injector;
    if (typeof loader?.loadPerContext !== 'function' || typeof loader.loadInjectable !== 'function') {
      throw new McpError('MCP_NEST_INTERNALS', 'This release of @nestjs/core cannot load request-scoped handlers.');
    }
    this.loader = loader;
  }

  isStatic(host: ComponentHost): boolean {
    const { wrapper } = host;
    if (host.enhancers?.isScoped === true) return false;
    // Nest creates transient providers per consumer only: here, for each call.
    const transient = [wrapper, ...(wrapper.getEnhancersMetadata() ?? [])].some((item) => item.isTransient);
    return !transient && wrapper.isDependencyTreeStatic() && this.scopedGlobals().length === 0;
  }

  /** The target of a static host. */
  only(host: ComponentHost): CallTarget {
    const instance = host.carrier ?? (host.wrapper.instance as object);
    const method = methodOf(host, instance);
    return { instance, method: host.enhancers?.around(method) ?? method };
  }

  async resolve(host: ComponentHost, contextId: ContextId, request: unknown): Promise<CallTarget> {
    const payload = (contextId as { payload?: unknown }).payload;
    const provided = host.wrapper.isDependencyTreeDurable() ? payload : Object.assign(request ?? {}, payload);
    this.moduleRef.registerRequestByContextId(provided, contextId);
    for (const enhancer of this.scopedGlobals()) {
      const module = enhancer.host as HostModule;
      // Loaded with the host as inquirer, since Nest looks transient enhancers up by their inquirer.
      await this.loader.loadInjectable(enhancer, module, contextId, host.wrapper);
    }
    const { wrapper, module, collection } = host;
    const loaded = await this.loader.loadPerContext(
      wrapper.instance,
      module,
      module[collection] as Collection,
      contextId,
      wrapper,
    );
    const instance = host.carrier ?? loaded;
    const method = methodOf(host, instance);
    return { instance, method: (await host.enhancers?.aroundIn(method, contextId)) ?? method, contextId };
  }

  private scopedGlobals(): readonly InstanceWrapper[] {
    return [
      ...this.config.getGlobalRequestGuards(),
      ...this.config.getGlobalRequestInterceptors(),
      ...this.config.getGlobalRequestPipes(),
      ...this.config.getGlobalRequestFilters(),
    ] as readonly InstanceWrapper[];
  }
}
