import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post, UseGuards, UseInterceptors, ValidationPipe } from '@nestjs/common';
import { CallerGuard, EchoArguments, PassingInterceptor } from '../workload/guarded.mjs';
import { answerTo } from './answers.mjs';

/** The arguments are a part of the message, and the only part that is validated. */
class ArgumentsPipe {
  transform({ params }) {
    return params.arguments;
  }
}

/** An ordinary controller with guard, interceptor and DTO. */
class GuardedController {
  answer(_args, message) {
    return answerTo(message);
  }
}

const method = Object.getOwnPropertyDescriptor(GuardedController.prototype, 'answer');
Reflect.decorate(
  [
    Post(),
    HttpCode(200),
    UseGuards(CallerGuard),
    UseInterceptors(PassingInterceptor),
    Reflect.metadata('design:paramtypes', [EchoArguments, Object]),
  ],
  GuardedController.prototype,
  'answer',
  method,
);
Body(new ArgumentsPipe(), new ValidationPipe())(GuardedController.prototype, 'answer', 0);
Body()(GuardedController.prototype, 'answer', 1);
Controller('mcp')(GuardedController);

export class GuardedPlainModule {}
Module({ controllers: [GuardedController] })(GuardedPlainModule);
