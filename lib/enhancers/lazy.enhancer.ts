import type { Type } from '@nestjs/common';
import { ContextIdFactory, type ContextId, type ModuleRef } from '@nestjs/core';

/** An enhancer as users pass it: a class, or an instance. */
export type Bound<T> = Type<T> | T;

/** Creates the error for an enhancer that cannot be used, in the words of the option that contains it. */
export type Refuse = (reason: string) => Error;

/** An enhancer from options; DI finds it in any module of the app. */
export class LazyEnhancer<T extends object> {
  private instance: T | undefined;
  private held: Type<T> | undefined;
  private scoped: Type<T> | undefined;

  constructor(
    readonly bound: Bound<T>,
    private readonly moduleRef: ModuleRef,
    private readonly refuse: Refuse,
  ) {}

  /** @throws the error of `refuse` if DI cannot create the enhancer. */
  async resolve(): Promise<void> {
    const { bound } = this;
    if (typeof bound !== 'function') {
      this.instance = bound;
      return;
    }
    const place = this.find(bound);
    if (place === 'scoped') this.scoped = bound;
    else if (place === 'held') this.held = bound;
    else this.instance = await this.create(bound);
  }

  /** Whether each request gets a separate instance. */
  get isScoped(): boolean {
    return this.scoped !== undefined;
  }

  /** Whether no module provides it, so that it was created for this place alone. */
  get isMade(): boolean {
    return this.instance !== undefined && this.held === undefined && this.instance !== this.bound;
  }

  of(request: unknown): T | Promise<T> {
    if (this.scoped === undefined) return this.get();
    const contextId = ContextIdFactory.getByRequest(request as Record<string, unknown>);
    this.moduleRef.registerRequestByContextId(request, contextId);
    return this.within(contextId);
  }

  /** The instance of a DI context, or the singleton. */
  within(contextId: ContextId): T | Promise<T> {
    return this.scoped === undefined ? this.get() : this.moduleRef.resolve(this.scoped, contextId, { strict: false });
  }

  /** The singleton; resolved as late as possible, since providers are placeholders while DI creates them. */
  get(): T {
    this.instance ??= this.peek();
    return this.instance;
  }

  /** The same, without caching it. */
  peek(): T {
    if (this.instance !== undefined) return this.instance;
    if (this.held === undefined) throw this.refuse('it was used before the app was initialised.');
    const instance: T = this.moduleRef.get(this.held, { strict: false });
    return instance;
  }

  private find(type: Type<T>): 'held' | 'scoped' | undefined {
    try {
      const found: T | null | undefined = this.moduleRef.get(type, { strict: false });
      return found === undefined || found === null ? undefined : 'held';
    } catch (error) {
      // Only the name of Nest's error shows that a provider is request-scoped.
      return (error as Error).name === 'InvalidClassScopeException' ||
        /marked as a scoped provider/.test((error as Error).message)
        ? 'scoped'
        : undefined;
    }
  }

  private async create(type: Type<T>): Promise<T> {
    try {
      return await this.moduleRef.create(type);
    } catch (error) {
      throw this.refuse(`${type.name} cannot be made: ${(error as Error).message} Provide it in a module of the app.`);
    }
  }
}
