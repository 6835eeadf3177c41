import type { Change, ChangeFilter } from '../../model/change.js';
import { LOG_LEVELS, type LogLevel } from '../../model/event.js';
import { isFields, type Fields } from '../../model/fields.js';
import type { Implementation } from '../../model/peer.js';
import { decodeJson } from '../../wire/json.decoder.js';
import { JSON_RPC_VERSION } from '../../wire/json-rpc.js';
import { ClientCodec, type ClientRequest, type ServerMessage } from '../client-codec.js';
import { META, metaOf, REVISION } from './envelope.js';

const OTHER: ServerMessage = Object.freeze({ kind: 'other' });

const LIST_CHANGES: Readonly<Record<string, Change>> = {
  'notifications/tools/list_changed': { kind: 'tools-changed' },
  'notifications/prompts/list_changed': { kind: 'prompts-changed' },
  'notifications/resources/list_changed': { kind: 'resources-changed' },
};

const malformed = (reason: string): ServerMessage => ({ kind: 'malformed', reason });

/** Each request contains everything about its client; nothing was negotiated before. */
export class ClientCodec20260728 extends ClientCodec {
  readonly revision = REVISION;

  encode({ id, method, params, client, progress, logLevel }: ClientRequest): string {
    const own = params['_meta'];
    const meta = {
      ...(isFields(own) ? own : {}),
      [META.protocolVersion]: REVISION,
      [META.clientCapabilities]: client.capabilities,
      ...(client.info === undefined ? {} : { [META.clientInfo]: client.info }),
      ...(logLevel === undefined ? {} : { [META.logLevel]: logLevel }),
      ...(progress ? { progressToken: id } : {}),
    };
    return JSON.stringify({ jsonrpc: JSON_RPC_VERSION, id, method, params: { ...params, _meta: meta } });
  }

  listen({ tools, prompts, resources, uris }: ChangeFilter): Pick<ClientRequest, 'method' | 'params'> {
    const notifications = {
      toolsListChanged: tools,
      promptsListChanged: prompts,
      resourcesListChanged: resources,
      resourceSubscriptions: uris,
    };
    return { method: 'subscriptions/listen', params: { notifications } };
  }

  serverInfo(result: Fields): Implementation | undefined {
    const info = metaOf(result)[META.serverInfo];
    return isFields(info) ? (info as unknown as Implementation) : undefined;
  }

  decode(json: string): ServerMessage {
    const decoding = decodeJson(json);
    if (!decoding.ok) return malformed(`its message is ${decoding.reason}`);
    const { value } = decoding;
    if (!isFields(value) || value['jsonrpc'] !== JSON_RPC_VERSION) return malformed('its message is not JSON-RPC');
    if (typeof value['method'] === 'string') return readNotification(value['method'], value['params']);
    const { result, error } = value;
    if (isFields(error)) return readError(error);
    return isFields(result) ? { kind: 'result', result } : malformed('its message is neither result nor error');
  }
}

function readError({ code, message, data }: Fields): ServerMessage {
  if (!Number.isSafeInteger(code) || typeof message !== 'string') return malformed('its error has no code or message');
  return { kind: 'error', code: code as number, message, ...(data === undefined ? {} : { data }) };
}

function readNotification(method: string, given: unknown): ServerMessage {
  const params = isFields(given) ? given : {};
  const listChange = Object.hasOwn(LIST_CHANGES, method) ? LIST_CHANGES[method] : undefined;
  if (listChange !== undefined) return { kind: 'change', change: listChange };
  switch (method) {
    case 'notifications/progress':
      return readProgress(params);
    case 'notifications/message':
      return readLog(params);
    case 'notifications/resources/updated':
      return typeof params['uri'] === 'string'
        ? { kind: 'change', change: { kind: 'resource-updated', uri: params['uri'] } }
        : malformed('an update names no resource');
    case 'notifications/subscriptions/acknowledged':
      return { kind: 'acknowledged', filter: readFilter(params['notifications']) };
    default:
      return OTHER;
  }
}

function readProgress({ progress, total, message }: Fields): ServerMessage {
  if (typeof progress !== 'number') return malformed('an update of progress has no number');
  return {
    kind: 'progress',
    progress,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

function readLog({ level, data, logger }: Fields): ServerMessage {
  if (!LOG_LEVELS.includes(level as LogLevel)) return malformed('a log message has no known level');
  return { kind: 'log', level: level as LogLevel, data, ...(typeof logger === 'string' ? { logger } : {}) };
}

function readFilter(honoured: unknown): ChangeFilter {
  const given = isFields(honoured) ? honoured : {};
  const uris = given['resourceSubscriptions'];
  return {
    tools: given['toolsListChanged'] === true,
    prompts: given['promptsListChanged'] === true,
    resources: given['resourcesListChanged'] === true,
    uris: Array.isArray(uris) ? uris.filter((uri): uri is string => typeof uri === 'string') : [],
  };
}
