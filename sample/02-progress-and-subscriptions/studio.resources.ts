import { Injectable } from '@nestjs/common';
import { Resource } from 'nestjs-mcp';

import { KilnService, type Kiln } from './kiln.service.js';

export const KILN_URI = 'studio://kiln';

@Injectable()
export class StudioResources {
  constructor(private readonly service: KilnService) {}

  @Resource({ uri: KILN_URI, description: 'How hot the kiln is, and what is in it' })
  kiln(): Kiln {
    return this.service.current;
  }
}
