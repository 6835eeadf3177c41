import type { IncomingMessage } from 'node:http';

import { Logger } from '@nestjs/common';

import { warn } from '../../errors/log-line.js';
import { plainPath } from '../node-http/http-request.js';

/** Maximum length of a path in the log. */
const MAX_PATH = 200;

/** Warns once for an endpoint when code of the app reads its bodies, which works, but bypasses its limits. */
export class ConsumedBodyAlarm {
  private readonly logger = new Logger('McpModule');
  private raised = false;

  /** Takes the request, because several paths may lead to one endpoint. */
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

/** The path that the client used. An outer app removes its prefix from the url of an inner one. */
function pathUnder(request: IncomingMessage & { readonly originalUrl?: string }): string {
  const path = plainPath(request.originalUrl ?? request.url ?? '').replaceAll(/[^\x21-\x7e]/g, '?');
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
}
