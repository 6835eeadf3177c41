import type { DiscoveryService } from '@nestjs/core';

import type {
  CompletionOptions,
  PromptOptions,
  ResourceOptions,
  ToolOptions,
} from '../decorators/component-metadata.js';
import type { BoundEnhancers, Method } from '../enhancers/bound-enhancers.js';
import type { PromptDefinition, ResourceDefinition, TemplateDefinition, ToolDefinition } from '../model/component.js';
import type { CompletionTarget } from '../model/operation.js';
import type { ComponentSchema } from '../schema/component-schema.js';
import type { HeaderMark } from '../schema/header-marks.js';
import type { UriTemplate } from '../uri/uri-template.js';
import type { ParameterPlan } from './parameter-plan.js';

export type { Method };
export type InstanceWrapper = ReturnType<DiscoveryService['getProviders']>[number];
export type HostModule = NonNullable<InstanceWrapper['host']>;

/** The method of a component, and the location of its instance in Nest's container. */
export interface ComponentHost {
  readonly wrapper: InstanceWrapper;
  readonly module: HostModule;
  readonly moduleKey: string;
  readonly collection: 'providers' | 'controllers';
  readonly prototype: object;
  readonly method: string;
  /** `Class.method`, for messages. */
  readonly owner: string;
  readonly parameters: ParameterPlan;
  /** For a registered function, the object to call it on; the Nest provider then only determines its module. */
  readonly carrier?: object;
  /** Enhancers of the registration, which run inside those of the app, class and method. */
  readonly enhancers?: BoundEnhancers;
}

export interface ToolComponent {
  readonly kind: 'tool';
  readonly options: ToolOptions;
  readonly definition: ToolDefinition;
  readonly host: ComponentHost;
  readonly input: ComponentSchema;
  readonly output?: ComponentSchema;
  /** Arguments that clients repeat as headers; absent if there are none. */
  readonly headerMarks?: readonly HeaderMark[];
}

export interface ResourceComponent {
  readonly kind: 'resource';
  readonly options: ResourceOptions;
  readonly definition: ResourceDefinition;
  readonly host: ComponentHost;
}

export interface TemplateComponent {
  readonly kind: 'template';
  readonly options: ResourceOptions;
  readonly definition: TemplateDefinition;
  readonly host: ComponentHost;
  readonly template: UriTemplate;
  /** Validates the variables, if the handler has a DTO parameter. */
  readonly input?: ComponentSchema;
  readonly choices?: Choices;
}

export interface PromptComponent {
  readonly kind: 'prompt';
  readonly options: PromptOptions;
  readonly definition: PromptDefinition;
  readonly host: ComponentHost;
  readonly input: ComponentSchema;
  readonly choices?: Choices;
}

/** Completions of arguments with listed values, by argument. */
export type Choices = ReadonlyMap<string, CompletionComponent>;

export interface CompletionComponent {
  readonly kind: 'completion';
  readonly options: CompletionOptions;
  readonly target: CompletionTarget;
  readonly argument: string;
  readonly host: ComponentHost;
}

/** A component that clients can list. */
export type ListedComponent = ToolComponent | ResourceComponent | TemplateComponent | PromptComponent;

export type RegisteredComponent = ListedComponent | CompletionComponent;
