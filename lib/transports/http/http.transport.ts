import type { Server } from 'node:http';
import { Injectable, All, Controller, Req, Res, VERSION_NEUTRAL, type Type } from '@nestjs/common';
import {
  ApplicationConfig,
  HttpAdapterHost,
  ModuleRef,
  type AbstractHttpAdapter,
  type ModulesContainer,
} from '@nestjs/core';

import { InvalidOptionsError } from '../../errors/invalid-options.error.js';
import { ExchangeHandler } from '../../server/exchange.handler.js';
import { AdmissionGuard } from './admission.guard.js';
import { AppFilters } from './app.filters.js';
import { ConsumedBodyAlarm } from './consumed-body.alarm.js';
import { BodyReader } from '../node-http/body.reader.js';
import { EndpointEnhancers } from './endpoint-enhancers.js';
import { type EndpointRoute, type ControllerWrapper, type EndpointMetadata, ENDPOINT } from './endpoint-route.js';
import { ExpressPlatform, type ExpressApp } from './express.platform.js';
import { FastifyPlatform, type EarlyHooks, type FastifyInstance } from './fastify.platform.js';
import { EarlyScreening } from './early.screening.js';
import type { HttpOptions } from './http-options.interface.js';
import type { FrameworkPlatform, HttpPlatform } from '../node-http/http-platform.js';
import type { Transport } from '../transport.js';
import { notesOf } from '../node-http/http-request.js';
import type { Prepared } from '../../server/prepared.js';
import type { TrustedProperties } from '../trusted-properties.js';
import { ServerClosing } from './server.closing.js';
import { ReplyRoom } from '../node-http/reply-room.js';
import { ReplyWriter } from '../node-http/json-or-event-stream.writer.js';
import { RouteFilter } from './route.filter.js';
import { RouteWatch } from './route.watch.js';

/** One endpoint in the app's HTTP server: configures its controller, mounts its early screening, answers its requests. */
@Injectable()
export class HttpTransport implements Transport {
  private platform: FrameworkPlatform | undefined;
  private settled: readonly string[] | undefined;
  private screening: EarlyScreening | undefined;
  private closing: ServerClosing | undefined;
  private readonly bodies: BodyReader;
  private readonly room: ReplyRoom;
  private readonly enhancers: EndpointEnhancers;
  private readonly watch: RouteWatch;
  private controller: ControllerWrapper | undefined;

  constructor(
    private readonly options: HttpOptions,
    private readonly properties: TrustedProperties,
    private readonly exchanges: ExchangeHandler,
    private readonly adapters: HttpAdapterHost,
    private readonly endpoint: EndpointRoute,
    private readonly config: ApplicationConfig,
    private readonly moduleRef: ModuleRef,
  ) {
    this.bodies = new BodyReader(options, exchanges.bodies);
    this.room = new ReplyRoom(options);
    this.enhancers = new EndpointEnhancers(options, moduleRef);
    const route = { path: options.path, isIntercepted: () => this.isIntercepted() };
    this.watch = new RouteWatch(exchanges, this.room, () => this.requirePlatform(), route);
  }

  /** Runs in the constructor phase of providers, before routes and body parsers are registered. */
  mount(controller: ControllerWrapper | undefined): void {
    this.controller = controller;
    // With @nestjs/testing the adapter is created after the providers.
    if (this.adapters.httpAdapter) this.open();
    else this.adapters.init$?.subscribe(() => this.open());
  }

  /** Paths of the endpoint in the router. */
  get paths(): readonly string[] {
    return this.settled ?? [this.endpoint.path()];
  }

  /**
   * Creates the guards, interceptors and filters of the endpoint. Its routes are registered already.
   *
   * @throws InvalidOptionsError where the endpoint cannot be together with another route.
   */
  async prepare(): Promise<void> {
    this.settled = this.platform?.settle();
    const server = this.adapters.httpAdapter?.getHttpServer() as Server | undefined;
    if (server !== undefined && server !== null) {
      this.closing = ServerClosing.of(server);
      this.closing.include(() => this.screening?.openStreams() ?? []);
    }
    await this.enhancers.resolve();
  }

  /** Does nothing if an interceptor calls it after the request was answered, or a second time. */
  reply(request: unknown, response: unknown): Promise<void> | undefined {
    const platform = this.requirePlatform();
    const notes = notesOf(platform.rawRequest(request));
    if (notes === undefined) return undefined;
    const prepared = this.watch.take(notes);
    if (prepared === undefined) return undefined;
    const written = this.write(prepared, platform, response);
    notes.stage = 'taken';
    return written;
  }

  /** Refuses requests that have not arrived, waits for running ones, then ends the rest. May be repeated. */
  async stop(drainTimeoutMs: number): Promise<void> {
    this.room.replies.stop();
    this.bodies.abandon();
    this.closing?.begin(drainTimeoutMs);
    await this.room.replies.drain(drainTimeoutMs);
  }

  /** Guards of the app run first, then those of the options, then admission. */
  metadata(): EndpointMetadata {
    const platform = (): HttpPlatform => this.requirePlatform();
    const { guards, interceptors, filters } = this.enhancers;
    const { path } = this.options;
    const consumed = new ConsumedBodyAlarm();
    const { exchanges, bodies, properties, watch } = this;
    const admission = new AdmissionGuard(exchanges, bodies, platform, properties, consumed, watch);
    const others = new AppFilters(filters, this.moduleRef, () => this.controller);
    return {
      path,
      guards: [...guards, admission],
      interceptors,
      filters: [new RouteFilter(platform, watch, others)],
    };
  }

  private write(prepared: Prepared, platform: HttpPlatform, response: unknown): Promise<void> | undefined {
    if (prepared.kind === 'request') {
      const writer = new ReplyWriter(platform, response, prepared.forms, this.room);
      return writer.write(this.exchanges.stream(prepared));
    }
    if (prepared.kind === 'accepted') this.exchanges.accept(prepared);
    platform.send(response, { status: 202, headers: {}, body: '' });
    return undefined;
  }

  private isIntercepted(): boolean {
    const { config, enhancers } = this;
    const all = [config.getGlobalInterceptors(), config.getGlobalRequestInterceptors(), enhancers.interceptors];
    return all.some(({ length }) => length > 0);
  }

  private open(): void {
    const platform = platformOf(this.adapters.httpAdapter, this.endpoint);
    this.platform = platform;
    this.screening = new EarlyScreening(this.exchanges, (notes) => this.watch.passed(notes));
    platform.mount(this.screening.pass);
  }

  private requirePlatform(): HttpPlatform {
    if (this.platform === undefined) throw new Error('The HTTP adapter of the app is not there yet.');
    return this.platform;
  }
}

function platformOf(adapter: AbstractHttpAdapter, endpoint: EndpointRoute): FrameworkPlatform {
  const type = adapter.getType();
  switch (type) {
    case 'express':
      return new ExpressPlatform(adapter.getInstance<ExpressApp>(), endpoint);
    case 'fastify': {
      const early = adapter as Partial<EarlyHooks> as EarlyHooks;
      return new FastifyPlatform(adapter.getInstance<FastifyInstance>(), early, endpoint);
    }
    default:
      throw new InvalidOptionsError(
        'http',
        `the HTTP adapter "${type}" is not supported. Use Express or Fastify, or set http: false.`,
      );
  }
}

/** Creates a separate controller class for each server of each module definition. */
export function createHttpController(): Type<unknown> {
  @Controller({ version: VERSION_NEUTRAL })
  class McpHttpController {
    constructor(private readonly transport: HttpTransport) {}

    /** All methods: those other than POST are refused here, because clients take a 404 for a missing server. */
    @All()
    handle(@Req() request: unknown, @Res() response: unknown): Promise<void> | undefined {
      return this.transport.reply(request, response);
    }
  }
  const { handle } = McpHttpController.prototype as { handle: object };
  Reflect.defineMetadata(ENDPOINT, McpHttpController, handle);
  // API documents omit the endpoint, which is not a REST route.
  Reflect.defineMetadata('swagger/apiExcludeController', [true], McpHttpController);
  Reflect.defineMetadata('swagger/apiExcludeEndpoint', { disable: true }, handle);
  return McpHttpController;
}

/**
 * Gives the controller of this app a class of its own with path and enhancers, since two apps may be made from one
 * module definition. Without metadata the endpoint is taken out. Returns how Nest keeps the controller.
 */
export function fitHttpController(
  controller: Type<unknown>,
  modules: ModulesContainer,
  metadata: EndpointMetadata | undefined,
): ControllerWrapper | undefined {
  let fitted: ControllerWrapper | undefined;
  for (const module of modules.values()) {
    const wrapper = module.controllers.get(controller);
    if (wrapper === undefined) continue;
    if (metadata === undefined) {
      module.controllers.delete(controller);
    } else {
      wrapper.metatype = endpointClass(controller, metadata) as never;
      fitted = wrapper;
    }
  }
  return fitted;
}

function endpointClass(
  controller: Type<unknown>,
  { path, guards, interceptors, filters }: EndpointMetadata,
): Type<unknown> {
  class McpHttpController extends (controller as Type<object>) {}
  Reflect.defineMetadata('path', path, McpHttpController);
  Reflect.defineMetadata('__guards__', guards, McpHttpController);
  Reflect.defineMetadata('__interceptors__', interceptors, McpHttpController);
  Reflect.defineMetadata('__exceptionFilters__', filters, McpHttpController);
  return McpHttpController;
}
