import { Injectable, Module } from '@nestjs/common';
import { IsString, MinLength } from 'class-validator';
import { McpModule, Tool } from 'nestjs-mcp';

class GreetArgs {
  @IsString()
  @MinLength(1)
  name!: string;
}

@Injectable()
class Greeter {
  @Tool({ description: 'Create a greeting' })
  greet(args: GreetArgs) {
    return `Hello, ${args.name}!`;
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'consumer', version: '1.0.0' })], providers: [Greeter] })
export class AppModule {}
