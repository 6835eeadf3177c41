import { createServer } from 'node:http';
import { announce } from '../measure/probe.mjs';
import { answerTo } from './answers.mjs';

/** The least that a server on Node does: read, parse, answer. */
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.stringify(answerTo(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => announce(server.address().port));
