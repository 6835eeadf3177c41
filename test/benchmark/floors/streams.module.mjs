import 'reflect-metadata';
import { Body, Controller, Module, Post, Res } from '@nestjs/common';
import { streamTo } from './streams.mjs';

/** An ordinary controller that writes its events by hand: takes the parsed body and the response of Node. */
class StreamsController {
  stream(message, response) {
    // Fastify has to be told that somebody else answers.
    response.hijack?.();
    streamTo(response.raw ?? response, message);
  }
}

const method = Object.getOwnPropertyDescriptor(StreamsController.prototype, 'stream');
Reflect.decorate([Post()], StreamsController.prototype, 'stream', method);
Body()(StreamsController.prototype, 'stream', 0);
Res()(StreamsController.prototype, 'stream', 1);
Controller('mcp')(StreamsController);

export class StreamsModule {}
Module({ controllers: [StreamsController] })(StreamsModule);
