import 'reflect-metadata';
import { Injectable } from '@nestjs/common';
import { IsString } from 'class-validator';
import { map } from 'rxjs';

/** What an app commonly binds, the same on both sides: a guard, an interceptor, and a DTO. */
export class CallerGuard {
  canActivate(context) {
    return context.switchToHttp().getRequest().headers['accept'] !== undefined;
  }
}
Injectable()(CallerGuard);

export class PassingInterceptor {
  intercept(_context, next) {
    return next.handle().pipe(map((value) => value));
  }
}
Injectable()(PassingInterceptor);

export class EchoArguments {
  text;
}
IsString()(EchoArguments.prototype, 'text');
