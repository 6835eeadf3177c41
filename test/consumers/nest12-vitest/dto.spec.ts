import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { McpModule, McpServer, Tool } from 'nestjs-mcp';
import { expect, it } from 'vitest';

class Street {
  @Expose()
  @IsString()
  street!: string;
}

class MoveArgs {
  @Type(() => Street)
  @ValidateNested({ each: true })
  streets!: Street[];
}

class RenameArgs {
  @IsString()
  name!: string;

  @Exclude()
  @IsOptional()
  @IsString()
  role?: string;
}

@Injectable()
class Mover {
  @Tool({ description: 'Move', input: MoveArgs })
  move({ streets }: MoveArgs) {
    return String(streets[0] instanceof Street);
  }
}

@Injectable()
class Renamer {
  @Tool({ description: 'Rename', input: RenameArgs })
  rename() {
    return 'Renamed';
  }
}

function start(provider: new () => object) {
  class AppModule {}
  Module({ imports: [McpModule.forRoot({ name: 'consumer', version: '1.0.0' })], providers: [provider] })(AppModule);
  return NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
}

it('sees the classes that class-transformer names', async () => {
  const app = await start(Mover);
  const { content } = await app
    .get(McpServer)
    .connect()
    .callTool('move', { streets: [{ street: 'Main' }] });
  expect(content).toEqual([{ type: 'text', text: 'true' }]);
  await app.close();
});

it('does not start with a member that class-transformer hides', async () => {
  await expect(start(Renamer)).rejects.toThrow('the member "role" of RenameArgs carries `@Exclude()`');
});
