import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { answerTo } from './answers.mjs';

/** An ordinary controller: takes the parsed body, returns an object. */
class PlainController {
  answer(message) {
    return answerTo(message);
  }
}

const method = Object.getOwnPropertyDescriptor(PlainController.prototype, 'answer');
Reflect.decorate([Post(), HttpCode(200)], PlainController.prototype, 'answer', method);
Body()(PlainController.prototype, 'answer', 0);
Controller('mcp')(PlainController);

export class PlainModule {}
Module({ controllers: [PlainController] })(PlainModule);
