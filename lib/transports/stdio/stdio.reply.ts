import type { Observer } from 'rxjs';

import type { ReplyStream } from '../../server/reply.stream.js';
import type { OutgoingMessage } from '../../wire/exchange.js';
import type { RequestId } from '../../wire/json-rpc.js';
import type { OpenReplies, OpenReply } from '../../server/open-replies.js';
import type { LineWriter } from './line.writer.js';

/** One answer on its way to the pipe. */
export class StdioReply implements OpenReply, Partial<Observer<OutgoingMessage>> {
  constructor(
    private readonly id: RequestId,
    private readonly stream: ReplyStream,
    private readonly writer: LineWriter,
    private readonly replies: OpenReplies,
  ) {}

  begin(): void {
    this.replies.add(this);
    this.stream.subscribe(this);
  }

  next({ kind, json, written }: OutgoingMessage): void {
    if (kind !== 'nothing') this.writer.write(json, this.id, written);
  }

  complete(): void {
    this.replies.delete(this);
  }

  dismiss(): void {
    this.stream.dismiss();
  }

  destroy(): void {
    this.replies.delete(this);
    this.stream.unsubscribe();
  }
}
