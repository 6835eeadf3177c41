import { connect } from 'node:net';
import { brief, expect } from '../member.mjs';
import { mcpRequest } from '../requests.mjs';
import { HTTP } from '../limits.mjs';

/** Sends these bytes over a connection of its own, waits, and leaves; resolves with what came back. */
function scribble(member, bytes, waitMs) {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(member.origin);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let heard = '';
    let timer;
    socket.setEncoding('utf8').on('data', (piece) => (heard += piece));
    // Whatever happens to the connection is the server's right.
    socket.on('error', () => undefined);
    socket.once('connect', () => {
      timer = setTimeout(() => (member.random.chance(0.5) ? socket.destroy() : socket.resetAndDestroy()), waitMs);
    });
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(heard);
    });
  });
}

function bytesOf({ headers, body }, length = Buffer.byteLength(body)) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST /mcp HTTP/1.1`, 'host: 127.0.0.1', ...lines, `content-length: ${length}`, '', body].join('\r\n');
}

const LIST = mcpRequest('tools/list', {}, { id: 1 });
const ECHO = mcpRequest('tools/call', { name: 'echo', arguments: { text: 'half' } }, { id: 1 });

export async function halfHead(member) {
  const whole = bytesOf(LIST);
  const end = whole.indexOf('\r\n\r\n');
  await scribble(member, whole.slice(0, member.random.between(0, end)), member.random.between(0, 100));
}

/** Some wait for what the server says to half a body. */
export async function halfBody(member) {
  const whole = bytesOf(ECHO);
  const start = whole.indexOf('\r\n\r\n') + 4;
  const half = whole.slice(0, member.random.between(start, whole.length - 1));
  const waits = member.random.chance(0.2);
  const heard = await scribble(member, half, waits ? HTTP.bodyTimeoutMs * 4 : member.random.between(0, 100));
  if (!waits) return;
  expect(heard.startsWith('HTTP/1.1 408 '), `half a body got ${brief(heard.split('\r\n')[0])}`);
}

/** More than is allowed, with a length or in chunks. */
export async function oversize(member) {
  const body = JSON.stringify({ ...JSON.parse(ECHO.body), padding: 'x'.repeat(HTTP.maxBodyBytes) });
  const chunked = { ...ECHO.headers, 'transfer-encoding': 'chunked' };
  const posted = member.random.chance(0.5) ? { headers: ECHO.headers, body } : { headers: chunked, body };
  let answer;
  try {
    answer = await (await member.sendAlone(posted)).end();
  } catch {
    // The server need not read all of it, so the connection may be gone before the answer was read.
    member.tally.count('cut off');
    return;
  }
  expect(answer.status === 413, `status ${answer.status} for too large a body`);
}

const FAULTS = [
  ['{"jsonrpc":"2.0","id":1,"method":"tools/list"', 400, -32700],
  ['\u0000\u0001garbage', 400, -32700],
  ['', 400, -32700],
  ['['.repeat(5_000), 400, -32700],
  ['[]', 400, -32600],
  ['"text"', 400, -32600],
  ['{"jsonrpc":"2.0","id":null,"method":"tools/list","params":{}}', 400, -32600],
  ['{"jsonrpc":"1.0","id":1,"method":"tools/list","params":{}}', 400, -32600],
  ['{"jsonrpc":"2.0","id":1,"result":{}}', 400, -32600],
];

/** Each fault has its own answer, however busy the server is. */
export async function garbage(member) {
  const [body, status, code] = member.random.pick(FAULTS);
  const answer = await (await member.send({ headers: { ...LIST.headers, ...member.headers }, body })).end();
  expect(
    answer.status === status && answer.message?.error?.code === code,
    `${JSON.stringify(body.slice(0, 60))} got ${answer.status} ${brief(answer.message)}`,
  );
}

/** Well-formed, and still not for this server. */
export async function misdirected(member) {
  const { headers } = member;
  const [posted, options, status, code] = member.random.pick([
    [mcpRequest('no/such', {}, { id: 1, headers }), {}, 404, -32601],
    [mcpRequest('tools/call', { name: 'nobody' }, { id: 1, headers }), {}, 200, -32602],
    [{ headers: { ...LIST.headers, 'content-type': 'text/plain' }, body: LIST.body }, {}, 415, -32600],
    [{ headers: { ...LIST.headers, origin: 'http://evil.example.com' }, body: LIST.body }, {}, 403, -32600],
    [{ headers: LIST.headers, body: '' }, { method: 'GET' }, 405, -32600],
    [{ headers: { ...LIST.headers, 'mcp-method': 'tools/call' }, body: LIST.body }, {}, 400, -32020],
  ]);
  const answer = await (await member.send(posted, options)).end();
  if (member.isRefused(answer, 1)) return;
  expect(
    answer.status === status && answer.message?.error?.code === code,
    `instead of ${status} and ${code}: ${answer.status} ${brief(answer.message)}`,
  );
}
