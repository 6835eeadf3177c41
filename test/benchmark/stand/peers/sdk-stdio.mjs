import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { announce } from '../../measure/probe.mjs';
import { createServer } from './sdk.server.mjs';

/** The official SDK over stdio, by its documented way. */
serveStdio(createServer);
announce();
