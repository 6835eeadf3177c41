import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';

import { PriceList } from './price-list.service.js';
import { TripTools } from './trips.tools.js';

@Module({
  imports: [
    McpModule.forRoot({
      name: 'travel-agency',
      version: '1.0.0',
      instructions: 'Trips are booked only with the consent of the traveller.',
      // Every instance of an app needs the same keys. Load them from your secret store; do not put them in code.
      requestState: { keys: [{ id: 'sample', secret: 'a secret for the sample alone, never for an app' }] },
    }),
  ],
  providers: [TripTools, PriceList],
})
export class AppModule {}
