import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

import type { ListenerOptions } from './listener-options.interface.js';

/** How often Node looks for requests that are late, as a share of the time that a head has. */
const LOOKS_PER_HEAD = 10;
const SHORTEST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 1_000;

/** A server of Node on which every connection and every request has its bounds. */
export function createListenerServer(options: ListenerOptions): Server {
  const { https, maxConnections, headTimeoutMs } = options;
  const bounds = boundsOf(options);
  // Whatever TLS is given with, the bounds are these.
  const server =
    https === undefined
      ? createServer(bounds)
      : createSecureServer({ handshakeTimeout: headTimeoutMs, ...https, ...bounds });
  server.maxConnections = maxConnections;
  // Those beyond a number would be dropped without a word, and checks would miss them; their bytes are bounded.
  server.maxHeadersCount = 0;
  return server;
}

function boundsOf({ headTimeoutMs, bodyTimeoutMs, idleTimeoutMs, maxHeadBytes }: ListenerOptions): ServerOptions {
  const look = Math.floor(headTimeoutMs / LOOKS_PER_HEAD);
  return {
    insecureHTTPParser: false,
    // Looked for with the other faults of a head, so that all of them are answered alike.
    requireHostHeader: false,
    maxHeaderSize: maxHeadBytes,
    headersTimeout: headTimeoutMs,
    // Stands behind the limits of a body, which start when guards have let it in, and so take longer.
    requestTimeout: 2 * (headTimeoutMs + bodyTimeoutMs),
    keepAliveTimeout: idleTimeoutMs,
    connectionsCheckingInterval: Math.max(SHORTEST_LOOK_MS, Math.min(LONGEST_LOOK_MS, look)),
  };
}
