import { brief, expect, expectText } from '../member.mjs';
import { mcpRequest } from '../requests.mjs';

const WORDS = ['chaos', 'héllo', '日本', '😀', '\u2028', '"quoted"', 'data: x', '\n\n', 'event: message'];

/** An ordinary call: the right answer, or a refusal while others flood. */
export async function echo(member) {
  const { random } = member;
  const text = Array.from({ length: random.between(1, 30) }, () => random.pick(WORDS)).join(' ');
  const id = member.id();
  const answer = await (await member.send(member.call('echo', { text }, { id }))).end();
  if (!member.isRefused(answer, id)) expectText(answer, id, `${member.name} says ${text}`);
}

/** Lists take no part in floods, but wait as everything does. */
export async function list(member) {
  const id = member.id();
  const answer = await (await member.send(mcpRequest('tools/list', {}, { id, headers: member.headers }))).end();
  if (member.isRefused(answer, id)) return;
  expect(answer.status === 200 && answer.message?.id === id, `a list with ${answer.status} ${brief(answer.message)}`);
  expect(answer.message.result.tools.length === 9, 'a list without all tools');
}

/** Every step in order, under the token that was given, and then the result. */
export async function progress(member) {
  const { random } = member;
  const steps = random.between(1, 40);
  const token = random.pick([0, '', 'token', 7]);
  const id = member.id();
  const answer = await (await member.send(member.call('count', { steps }, { id, token }))).end();
  if (member.isRefused(answer, id)) return;
  expectText(answer, id, `counted to ${steps}`);
  const seen = answer.messages.slice(0, -1).map(({ params }) => params);
  expect(
    seen.every(({ progressToken }) => progressToken === token),
    'progress under a token of somebody else',
  );
  expect(seen.map(({ progress }) => progress).join() === steps1(steps), `steps missing or in disorder`);
}

const steps1 = (steps) => Array.from({ length: steps }, (_, index) => index + 1).join();

export async function big(member) {
  const length = member.random.between(50_000, 1_500_000);
  const id = member.id();
  const answer = await (await member.send(member.call('big', { length }, { id }))).end();
  if (!member.isRefused(answer, id)) expectText(answer, id, 'x'.repeat(length));
}

/** An unknown exception tells a reference, and nothing else. */
export async function failure(member) {
  const id = member.id();
  const answer = await (await member.send(member.call('boom', {}, { id }))).end();
  if (member.isRefused(answer, id)) return;
  const { status, message } = answer;
  expect(status === 200 && message?.error?.code === -32603, `a failure with ${status} ${brief(message)}`);
  expect(!JSON.stringify(message).includes('detail'), 'a failure told its details');
}

/** A tool with less time than it takes. */
export async function deadline(member) {
  const id = member.id();
  const answer = await (await member.send(member.call('hasty', {}, { id }))).end();
  if (member.isRefused(answer, id)) return;
  const { status, message } = answer;
  expect(status === 504 && message?.error?.code === -32603, `a deadline with ${status} ${brief(message)}`);
}

/** Far more calls at a time than the server takes, of one caller or of many. */
export async function flood(member) {
  const { random } = member;
  const alone = random.chance(0.5);
  const calls = Array.from({ length: random.between(30, 60) }, async (_, index) => {
    const ms = random.between(5, 30);
    const headers = { 'x-caller': alone ? member.name : `${member.name}.${index}` };
    const answer = await (await member.sendAlone(member.call('slow', { ms }, { id: index, headers }))).end();
    if (!member.isRefused(answer, index)) expectText(answer, index, `rested ${ms}`);
  });
  await Promise.all(calls);
}
