import { createServer } from 'node:http';
import { announce } from '../measure/probe.mjs';
import { answerTo } from './answers.mjs';
import { OpenStreams, streamTo, wantsUpdates } from './streams.mjs';

const streams = new OpenStreams();

/** The least that a server on Node does: read, parse, answer. */
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (message.method === 'subscriptions/listen') return streams.add(response, message);
    if (wantsUpdates(message)) return streamTo(response, message);
    const body = JSON.stringify(answerTo(message));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => announce(server.address().port, () => streams.publish()));
