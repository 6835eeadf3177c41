import { Logger } from '@nestjs/common';

import { logWithReference } from '../../errors/failure.log.js';
import type { ExchangeHandler } from '../../server/exchange.handler.js';
import type { Prepared } from '../../server/prepared.js';
import type { Refusal } from '../../wire/exchange.js';
import { INTERNAL_ERROR } from '../../wire/json-rpc.js';
import { encodeError } from '../../wire/json-rpc.codec.js';
import { JSON_MEDIA_TYPE } from '../../wire/headers.js';
import { OpenReplies } from '../../server/open-replies.js';
import { CACHE_CONTROL, NO_STORE } from '../node-http/http-platform.js';
import type { Transport } from '../transport.js';
import type { TrustedProperties } from '../trusted-properties.js';
import type { WebBodyLimits } from './web.body.js';
import { WebExchange, type WebCaller } from './web.exchange.js';
import { WebReply, type WebReplyLimits } from './web.reply.js';

const ACCEPTED = 202;

/** Answers web-standard requests. */
export class WebTransport implements Transport {
  private readonly logger = new Logger('McpWeb');
  private readonly replies = new OpenReplies();

  constructor(
    private readonly exchanges: ExchangeHandler,
    private readonly properties: TrustedProperties,
    private readonly limits: WebBodyLimits & WebReplyLimits,
    /** Error for requests before the app has started and after it has closed. */
    private readonly refuse: () => Error | undefined,
  ) {}

  /** Never rejects: a failure is also an answer. */
  async handle(request: Request, caller: WebCaller): Promise<Response> {
    const refusal = this.refuse();
    if (refusal !== undefined) return failed(503, refusal.message);
    try {
      const { exchanges, properties, limits } = this;
      const exchange = new WebExchange(request, caller, { properties, limits, budget: exchanges.bodies });
      return await this.answer(await exchanges.prepare(exchange), exchange);
    } catch (error) {
      const reference = logWithReference(this.logger, 'A request could not be answered', error);
      return failed(500, 'Internal error', { reference });
    }
  }

  async stop(timeoutMs: number): Promise<void> {
    this.replies.stop();
    await this.replies.drain(timeoutMs);
  }

  private answer(prepared: Prepared, { actual, response }: WebExchange): Promise<Response> | Response {
    switch (prepared.kind) {
      case 'request': {
        const { limits, replies } = this;
        const stream = this.exchanges.stream(prepared);
        return new WebReply(stream, { limits, replies, head: response, signal: actual.signal }).answer();
      }
      case 'refused':
        return whole(prepared.refusal);
      case 'accepted':
        this.exchanges.accept(prepared);
        return whole({ status: ACCEPTED });
      default:
        return prepared satisfies never;
    }
  }
}

function failed(status: number, message: string, data?: object): Response {
  const error = { code: INTERNAL_ERROR, message, ...(data === undefined ? {} : { data }) };
  return whole({ status, body: encodeError(undefined, error) });
}

function whole({ status, headers = {}, body }: Refusal): Response {
  const answer = new Response(body ?? null, { status, headers: { ...headers } });
  if (body === undefined) return answer;
  answer.headers.set('content-type', JSON_MEDIA_TYPE);
  answer.headers.set(CACHE_CONTROL, NO_STORE);
  return answer;
}
