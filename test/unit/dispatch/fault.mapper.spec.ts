import { describe, expect, it } from '@jest/globals';
import { BadRequestException, ForbiddenException, HttpException, UnauthorizedException } from '@nestjs/common';

import { findRefusal } from '../../../lib/dispatch/fault.mapper.js';

describe('findRefusal', () => {
  it.each<[unknown, unknown]>([
    [new UnauthorizedException(), { kind: 'unauthenticated', message: 'Unauthorized' }],
    [new UnauthorizedException('no token'), { kind: 'unauthenticated', message: 'no token' }],
    [new ForbiddenException('not you'), { kind: 'forbidden', message: 'not you' }],
    [new HttpException('text', 401), { kind: 'unauthenticated', message: 'text' }],
    [
      new UnauthorizedException({ message: 'expired', statusCode: 401, error: 'x', reason: 'age', since: 3 }),
      { kind: 'unauthenticated', message: 'expired', data: { reason: 'age', since: 3 } },
    ],
  ])('reads %p', (error, fault) => {
    expect(findRefusal(error)).toEqual(fault);
  });

  it('reads exceptions of another copy of Nest', () => {
    const foreign = { message: 'm', getStatus: () => 403, getResponse: () => ({ message: ['a', 'b'] }) };
    expect(findRefusal(foreign)).toEqual({ kind: 'forbidden', message: 'a; b' });
  });

  it.each([new BadRequestException(), new Error('401'), undefined, null, '403', { status: 401 }])(
    'returns undefined for %p',
    (error) => {
      expect(findRefusal(error)).toBeUndefined();
    },
  );
});
