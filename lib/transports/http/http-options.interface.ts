import type { CanActivate, ExceptionFilter, NestInterceptor, Type } from '@nestjs/common';

/** Path of the endpoint, and limits for a request before its message is decoded. */
export interface HttpOptions {
  /** Path of the endpoint, below the app's global prefix. */
  readonly path: string;
  readonly guards: readonly (Type<CanActivate> | CanActivate)[];
  readonly interceptors: readonly (Type<NestInterceptor> | NestInterceptor)[];
  readonly filters: readonly (Type<ExceptionFilter> | ExceptionFilter)[];
  readonly maxBodyBytes: number;
  readonly bodyTimeoutMs: number;
  readonly readTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly writeTimeoutMs: number;
  readonly disconnectProbeMs?: number;
  readonly chunkedBodies: 'accept' | 'refuse';
}

/** The endpoint of a server; `false` for a server without an endpoint in the app's HTTP server. */
export type HttpEndpoint = HttpOptions | false;
