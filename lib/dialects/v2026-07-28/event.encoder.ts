import type { Change, ChangeFilter } from '../../model/change.js';
import type { CallEvent, OutgoingEvent } from '../../model/event.js';
import type { OperationRequest } from '../../model/operation.js';
import type { OutgoingMessage } from '../../wire/exchange.js';
import type { RequestId } from '../../wire/json-rpc.js';
import { encodeId, encodeNotification, stringifyJson } from '../../wire/json-rpc.codec.js';
import { META } from './envelope.js';

const LIST_METHODS = {
  'tools-changed': 'notifications/tools/list_changed',
  'prompts-changed': 'notifications/prompts/list_changed',
  'resources-changed': 'notifications/resources/list_changed',
} as const;

/** Placeholder for the id of a subscription, a text that no encoded message contains. */
const ID_PLACE = '\u0000';

/** Encodes the messages that precede a response. */
export class EventEncoder {
  /** A change is sent to many subscriptions, whose messages differ only in the id. */
  private written: { readonly change: Change; readonly before: string; readonly after: string } | undefined;

  encode(event: OutgoingEvent, request: OperationRequest): OutgoingMessage {
    switch (event.kind) {
      case 'progress':
      case 'log':
        return notification(encodeCallEvent(event, request));
      case 'acknowledged':
        return notification(encodeAcknowledgement(event.filter, request.id));
      default:
        return notification(this.encodeChange(event, request.id));
    }
  }

  private encodeChange(change: Change, id: RequestId): string {
    if (this.written?.change !== change) this.written = { change, ...splitAtId(change) };
    return this.written.before + encodeId(id) + this.written.after;
  }
}

function splitAtId(change: Change): { readonly before: string; readonly after: string } {
  const meta = `"_meta":{"${META.subscriptionId}":${ID_PLACE}}`;
  const text =
    change.kind === 'resource-updated'
      ? encodeNotification('notifications/resources/updated', `{${meta},"uri":${JSON.stringify(change.uri)}}`)
      : encodeNotification(LIST_METHODS[change.kind], `{${meta}}`);
  const place = text.indexOf(ID_PLACE);
  return { before: text.slice(0, place), after: text.slice(place + ID_PLACE.length) };
}

function encodeAcknowledgement({ tools, prompts, resources, uris }: ChangeFilter, id: RequestId): string {
  const honoured = JSON.stringify({
    ...(tools ? { toolsListChanged: true } : {}),
    ...(prompts ? { promptsListChanged: true } : {}),
    ...(resources ? { resourcesListChanged: true } : {}),
    ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
  });
  const params = `{"_meta":{"${META.subscriptionId}":${encodeId(id)}},"notifications":${honoured}}`;
  return encodeNotification('notifications/subscriptions/acknowledged', params);
}

function encodeCallEvent(event: CallEvent, { progressToken }: OperationRequest): string {
  if (event.kind === 'log') {
    const { level, logger, data } = event;
    return encodeNotification('notifications/message', stringifyJson({ level, logger, data: data ?? null }));
  }
  const { progress, total, message } = event;
  // Written by hand, since one response may have a thousand of them; finite numbers are their own JSON.
  const ofTotal = total === undefined ? '' : `,"total":${total}`;
  const said = message === undefined ? '' : `,"message":${JSON.stringify(message)}`;
  return encodeNotification(
    'notifications/progress',
    `{"progressToken":${encodeId(progressToken ?? '')},"progress":${progress}${ofTotal}${said}}`,
  );
}

function notification(json: string): OutgoingMessage {
  return { kind: 'notification', json, status: 200 };
}
