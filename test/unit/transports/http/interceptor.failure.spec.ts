import { describe, expect, it } from '@jest/globals';
import { BadRequestException, ForbiddenException, HttpException, UnauthorizedException } from '@nestjs/common';

import { McpProtocolError } from '../../../../lib/errors/mcp-protocol.error.js';
import { failureOf } from '../../../../lib/transports/http/route.watch.js';

const hide = (): string => 'r';
const INTERNAL = { kind: 'internal', reference: 'r' };

describe('what an interceptor of the route has thrown', () => {
  it.each<[string, unknown, unknown, number | undefined]>([
    ['a 401', new UnauthorizedException('who?'), { kind: 'unauthenticated', message: 'who?' }, 401],
    ['a 403', new ForbiddenException('no'), { kind: 'forbidden', message: 'no' }, 403],
    ['a 429', new HttpException('slow', 429), { kind: 'protocol', code: 429, message: 'slow' }, 429],
    ['several messages', new BadRequestException(['a', 'b', 1]), { kind: 'protocol', code: 400, message: 'a; b' }, 400],
    [
      'a body without a message',
      new HttpException({ what: 'secret' }, 400),
      { kind: 'protocol', code: 400, message: 'The request was refused' },
      400,
    ],
    ['a 500', new HttpException('secret', 500), INTERNAL, 500],
    ['a 503', new HttpException('secret', 503), INTERNAL, 503],
    ['a status that is none', new HttpException('odd', 200), INTERNAL, 500],
    ['an error', new Error('secret'), INTERNAL, 500],
    ['nothing', undefined, INTERNAL, 500],
    [
      'an error of the protocol',
      new McpProtocolError(1, 'm', 2),
      { kind: 'protocol', code: 1, message: 'm', data: 2 },
      undefined,
    ],
  ])('%s', (_what, error, fault, status) => {
    expect(failureOf(error, hide)).toEqual({ fault, ...(status === undefined ? {} : { status }) });
  });
});
