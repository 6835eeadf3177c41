import type { IncomingMessage, ServerResponse } from 'node:http';

import type { EndpointRoute } from './endpoint-route.js';
import { ExpressRoutes, type ExpressLayer } from './express.routes.js';
import type { EarlyHandler, FrameworkPlatform } from '../node-http/http-platform.js';
import { NodePlatform } from '../node-http/node.platform.js';

export interface ExpressApp {
  readonly router?: { readonly stack?: readonly ExpressLayer[] };
  use(handler: (request: IncomingMessage, response: ServerResponse, next: () => void) => void): void;
}

/** Express gives Node's own objects more members, and changes nothing about those that are there. */
export class ExpressPlatform extends NodePlatform implements FrameworkPlatform {
  private readonly routes: ExpressRoutes;

  constructor(
    private readonly app: ExpressApp,
    endpoint: EndpointRoute,
  ) {
    super();
    this.routes = new ExpressRoutes(endpoint);
  }

  mount(screen: EarlyHandler): void {
    const { routes } = this;
    this.app.use((request, response, next) => {
      if (routes.leadHere(request)) screen(request, response, next, response);
      else next();
    });
  }

  settle(): readonly string[] {
    return this.routes.settle(this.app.router?.stack ?? []);
  }
}
