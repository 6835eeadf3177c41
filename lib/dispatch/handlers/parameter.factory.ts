import type { Call } from '../calls/call.js';

type HttpRequest = Readonly<Record<string, unknown>> | undefined;

/** Nest's enum values of its parameter decorators. */
const PARAMETER = {
  request: 0,
  response: 1,
  next: 2,
  body: 3,
  query: 4,
  param: 5,
  headers: 6,
  session: 7,
  host: 10,
  ip: 11,
};

const pick = (source: unknown, key: unknown): unknown => {
  if (typeof key !== 'string') return source;
  return typeof source === 'object' && source !== null && Object.hasOwn(source, key)
    ? (source as Record<string, unknown>)[key]
    : undefined;
};

/** Provides the values of Nest's parameter decorators; `@Body()` receives the arguments. */
export const parameterFactory = {
  exchangeKeyForValue(kind: number, data: unknown, args: readonly unknown[]): unknown {
    const [request, response, call] = args as [HttpRequest, unknown, Call];
    switch (kind) {
      case PARAMETER.request:
        return request;
      case PARAMETER.response:
        return response;
      case PARAMETER.body:
      case PARAMETER.param:
        return pick(call.arguments, data);
      case PARAMETER.query:
        return pick(request?.['query'], data);
      case PARAMETER.headers:
        return pick(request?.['headers'], typeof data === 'string' ? data.toLowerCase() : data);
      case PARAMETER.session:
        return request?.['session'];
      case PARAMETER.host:
        return pick(request?.['hosts'], data);
      case PARAMETER.ip:
        return request?.['ip'];
      default:
        return undefined;
    }
  },
};
