import { answerTo } from './answers.mjs';

const HEADERS = Object.freeze({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
});

const frame = (message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

export const wantsUpdates = ({ params: { _meta: meta } }) => meta.progressToken !== undefined;

/** Every update in one loop, then the result: nobody waits for the client. */
export function streamTo(response, message) {
  const { arguments: args, _meta: meta } = message.params;
  open(response);
  for (let progress = 1; progress <= args.to; progress += 1) {
    const params = { progressToken: meta.progressToken, progress, total: args.to };
    response.write(frame({ jsonrpc: '2.0', method: 'notifications/progress', params }));
  }
  response.end(frame(answerTo(message)));
}

function open(response) {
  response.writeHead(200, HEADERS);
  response.flushHeaders();
}

/** Streams that stay open, and the least that it takes to tell all of them. */
export class OpenStreams {
  #idOf = new Map();

  add(response, { id }) {
    this.#idOf.set(response, id);
    response.on('close', () => this.#idOf.delete(response));
    open(response);
    const notifications = { toolsListChanged: true };
    response.write(notice('notifications/subscriptions/acknowledged', id, { notifications }));
  }

  publish() {
    for (const [response, id] of this.#idOf) response.write(notice('notifications/tools/list_changed', id));
  }
}

function notice(method, id, params = {}) {
  const meta = { 'io.modelcontextprotocol/subscriptionId': id };
  return frame({ jsonrpc: '2.0', method, params: { ...params, _meta: meta } });
}
