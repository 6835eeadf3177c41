import type { CanActivate, ExceptionFilter, NestInterceptor, Type } from '@nestjs/common';

/** Where the endpoint is, and what a request may cost before its message is known. */
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

/** Which endpoints an app has; `false` for a server that is not reachable over the app's HTTP server. */
export type HttpEndpoint = HttpOptions | false;
