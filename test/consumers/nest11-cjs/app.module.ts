import { Injectable, Module } from '@nestjs/common';
import { McpModule, Tool } from 'nestjs-mcp';

/** Neither class-validator nor class-transformer is installed here. */
const input = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1 } },
  required: ['name'],
  additionalProperties: false,
} as const;

@Injectable()
class Greeter {
  @Tool({ description: 'Create a greeting', input })
  greet(args: { name: string }) {
    return `Hello, ${args.name}!`;
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'consumer', version: '1.0.0' })], providers: [Greeter] })
export class AppModule {}
