import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { announce } from '../../measure/probe.mjs';
import { createServer as createMcpServer } from './sdk.server.mjs';

/** The official SDK on `node:http`, by its documented handler: a server for each request, schemas made once. */
const handler = createMcpHandler(createMcpServer, { maxSubscriptions: 2_000 });

const answer = toNodeHandler(handler);
const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => announce(server.address().port, () => handler.notify.toolsChanged()));
