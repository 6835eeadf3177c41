import { describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

import { ADAPTERS } from '../support/adapters.js';
import { deskApp } from '../support/desk.module.js';
import { serve } from '../support/served-app.js';

@Controller('books')
class Books {
  @Get()
  list(): string[] {
    return [];
  }
}

describe.each(ADAPTERS)('API documents on $name', (adapter) => {
  it('omit the endpoint and contain all other routes', async () => {
    await using served = await serve(deskApp({}, { controllers: [Books] }), adapter);
    const document = SwaggerModule.createDocument(served.app, new DocumentBuilder().build());
    expect(Object.keys(document.paths)).toEqual(['/books']);
    expect(JSON.stringify(document)).not.toMatch(/mcp/i);
  });
});
