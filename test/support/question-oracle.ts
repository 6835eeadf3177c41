import {
  CreateMessageRequestSchema,
  CreateMessageResultWithToolsSchema,
  ElicitRequestFormParamsSchema,
  ElicitRequestURLParamsSchema,
  ElicitResultSchema,
  ListRootsRequestSchema,
  ListRootsResultSchema,
} from '@modelcontextprotocol/core';
import { z } from 'zod';
import type { WireQuestion } from '../../lib/model/questions.js';

/** The package's own request is that of 2025-11-25, where the URL had an id; 2026-07-28 has none. */
const ElicitRequestSchema = z.object({
  method: z.literal('elicitation/create'),
  params: z.union([ElicitRequestFormParamsSchema, ElicitRequestURLParamsSchema.omit({ elicitationId: true })]),
});

const QUESTIONS = {
  'elicitation/create': { request: ElicitRequestSchema, result: ElicitResultSchema },
  'sampling/createMessage': { request: CreateMessageRequestSchema, result: CreateMessageResultWithToolsSchema },
  'roots/list': { request: ListRootsRequestSchema, result: ListRootsResultSchema },
};

/** What the official schema keeps of a question; it drops what it does not know, and throws for what it refuses. */
export function readOfficially(question: WireQuestion): unknown {
  return QUESTIONS[question.method].request.parse(question);
}

/** Whether the official schema takes a value as the answer to a question. */
export function isOfficialAnswer(method: WireQuestion['method'], answer: unknown): boolean {
  return QUESTIONS[method].result.safeParse(answer).success;
}
