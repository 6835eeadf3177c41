import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Door, FrameworkPlatform } from './http-platform.js';
import { NodePlatform } from './node.platform.js';

export interface ExpressApp {
  use(handler: (request: IncomingMessage, response: ServerResponse, next: () => void) => void): void;
}

/** Express gives Node's own objects more members, and changes nothing about those that are there. */
export class ExpressPlatform extends NodePlatform implements FrameworkPlatform {
  constructor(private readonly app: ExpressApp) {
    super();
  }

  mount(door: Door): void {
    this.app.use((request, response, next) => door(request, response, next));
  }
}
