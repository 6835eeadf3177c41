import { connect } from 'node:net';
import { Answer } from '../answer.mjs';
import { mcpRequest, toolCall } from '../requests.mjs';

/** How many requests or connections one turn of an attacker takes; all of them end before its turn does. */
const PIPELINED = 300;
const CONNECTIONS = 60;
const LISTS = 200;
const DRIPPED_BYTES = 400;

const rest = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function bytesOf({ headers, body }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return ['POST /mcp HTTP/1.1', 'host: 127.0.0.1', ...lines, length, '', body].join('\r\n');
}

/** A connection whose fate is the server's right. */
function open({ hostname, port }) {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.once('close', () => resolve(socket));
  });
}

const closed = async (socket) => {
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
};

/** Sends a request, and is content with any answer or none. */
async function send(origin, posted) {
  try {
    await (await Answer.open(origin, posted)).end();
  } catch {
    // Refused without an answer is an answer, too.
  }
}

const slow = (ms, id, headers) => toolCall('slow', { ms }, { id, headers });

/** Two connections send far more calls than there are places, without reading an answer, and go. */
export async function pipeliner(origin) {
  const sockets = await Promise.all([open(new URL(origin)), open(new URL(origin))]);
  for (const socket of sockets) {
    for (let id = 0; id < PIPELINED; id += 1) socket.write(bytesOf(slow(60_000, id)));
  }
  await rest(200);
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.map(closed));
}

/** Connections call and go at once. */
export async function leaver(origin) {
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(new URL(origin))));
  for (const socket of sockets) socket.write(bytesOf(slow(60_000, 1)));
  await rest(20);
  for (const [index, socket] of sockets.entries()) {
    if (index % 2 === 0) socket.destroy();
    else socket.resetAndDestroy();
  }
  await Promise.all(sockets.map(closed));
}

/** One caller, and connections of nobody, take as many subscriptions as they get. */
export async function hoarder(origin) {
  const notifications = { toolsListChanged: true };
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(new URL(origin))));
  for (const [index, socket] of sockets.entries()) {
    const headers = index % 2 === 0 ? { 'x-caller': 'hoarder' } : {};
    socket.write(bytesOf(mcpRequest('subscriptions/listen', { notifications }, { id: 1, headers })));
  }
  await rest(200);
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.map(closed));
}

/** Bodies that come byte by byte, each byte a chunk. */
export async function byteDripper(origin) {
  const { headers, body } = slow(1, 1);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = ['POST /mcp HTTP/1.1', 'host: 127.0.0.1', ...lines, 'transfer-encoding: chunked', '', ''].join('\r\n');
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(new URL(origin))));
  for (const socket of sockets) socket.write(head);
  for (const byte of body.slice(0, DRIPPED_BYTES)) {
    for (const socket of sockets) if (!socket.destroyed) socket.write(`1\r\n${byte}\r\n`);
    await rest(0);
  }
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.map(closed));
}

/** One caller's calls ignore that their client has gone. */
export async function abandoner(origin) {
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(new URL(origin))));
  for (const socket of sockets) {
    socket.write(bytesOf(toolCall('stubborn', { ms: 1_000 }, { id: 1, headers: { 'x-caller': 'abandoner' } })));
  }
  await rest(300);
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.map(closed));
}

/** Connections of nobody in particular, each with one call, come in the place of those that go. */
export async function churner(origin) {
  await Promise.all(Array.from({ length: CONNECTIONS * 2 }, (_, id) => send(origin, slow(30, id))));
}

/** One caller asks for many lists, about which guards are asked. */
export async function lister(origin) {
  const headers = { 'x-caller': 'lister' };
  await Promise.all(
    Array.from({ length: LISTS }, (_, id) => send(origin, mcpRequest('tools/list', {}, { id, headers }))),
  );
}

export const ATTACKERS = [pipeliner, leaver, hoarder, byteDripper, abandoner, churner, lister];
