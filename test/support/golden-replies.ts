import { lastValueFrom, toArray } from 'rxjs';

import type { McpServer } from '../../lib/index.js';

/** What came back for one message. */
export interface Reply {
  /** Where the carrier has one. */
  readonly status?: number;
  /** Without what differs from one answer to the next. */
  readonly text: string;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const STATE = /"requestState":"[^"]*"/g;

export const comparable = (text: string): string =>
  text.replaceAll(UUID, 'UUID').replaceAll(STATE, '"requestState":"STATE"');

export async function askInProcess(server: McpServer, body: string): Promise<Reply> {
  const caller = { auth: () => undefined };
  const prepared = await server.prepare({ caller, body: () => ({ ok: true, bytes: body }) });
  if (prepared.kind === 'refused') return { text: comparable(prepared.refusal.body ?? '') };
  const messages = await lastValueFrom(server.execute(prepared).pipe(toArray()));
  return { text: comparable(messages.map(({ json }) => json).join('\n')) };
}
