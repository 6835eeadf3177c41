import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';

import { ApiKeyGuard } from './api-key.guard.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';

/** Only the import of `McpModule` was added. The guard of the API protects the endpoint as well. */
@Module({
  imports: [
    McpModule.forRoot({
      name: 'orders',
      version: '1.0.0',
      http: { guards: [ApiKeyGuard] },
      auth: { property: 'user' },
    }),
  ],
  controllers: [OrdersController],
  providers: [OrdersService],
})
export class AppModule {}
