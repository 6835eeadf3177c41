import type { IncomingMessage } from 'node:http';

import { Logger } from '@nestjs/common';

import { warn } from '../../errors/log-line.js';
import { plainPath } from '../node-http/http-request.js';

/** Longest path that is worth a place in the log. */
const MAX_PATH = 200;

/** Says once for an endpoint that something of the app reads its bodies, which works but is not what was asked for. */
export class ConsumedBodyAlarm {
  private readonly logger = new Logger('McpModule');
  private raised = false;

  /** Told of the request, since several paths may lead to one endpoint. */
  raise(request: IncomingMessage): void {
    if (this.raised) return;
    this.raised = true;
    const path = pathUnder(request);
    warn(
      this.logger,
      `The app reads bodies before the MCP endpoint ${path} does, so limits such as http.maxBodyBytes do not hold, and ids that are long numbers may change. Let its body parser skip ${path}.`,
    );
  }
}

/** Where the client sent it: of an app within another one, the outer one takes its part off. */
function pathUnder(request: IncomingMessage & { readonly originalUrl?: string }): string {
  const path = plainPath(request.originalUrl ?? request.url ?? '').replaceAll(/[^\x21-\x7e]/g, '?');
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
}
