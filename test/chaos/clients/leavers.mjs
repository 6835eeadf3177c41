import { expect, expectText, isLate } from '../member.mjs';
import { cancelOf } from '../requests.mjs';
import { HTTP } from '../limits.mjs';

/** Goes in the middle of an answer, politely or not. */
export async function leave(member) {
  const { random } = member;
  const posted = random.pick([
    () => member.call('slow', { ms: 60_000 }, { id: member.id(), token: 1 }),
    () => member.call('stubborn', { ms: random.between(1, 600) }, { id: member.id(), token: 1 }),
    () => member.call('count', { steps: 500 }, { id: member.id(), token: 1 }),
    () => member.call('big', { length: 1_500_000 }, { id: member.id() }),
  ])();
  const answer = await member.sendAlone(posted);
  await answer.until(({ messages, text }) => messages.length > 0 || text.length > 0);
  await member.rest(random.between(0, 30));
  if (random.chance(0.5)) answer.destroy();
  else answer.reset();
}

/** Goes before any answer comes. */
export async function leaveEarly(member) {
  const ms = member.random.between(100, 60_000);
  const opening = member.sendAlone(member.call('slow', { ms }, { id: member.id() })).catch(() => undefined);
  const answer = await Promise.race([opening, member.rest(member.random.between(0, 40))]);
  answer?.destroy();
  // What comes after all is let go as well; a call of this length that was begun ends with its deadline.
  void opening.then((late) => late?.destroy());
}

/** Reads nothing for a while; the server may cut off those who stop for longer than it waits. */
export async function readSlowly(member) {
  const { random } = member;
  const pauseMs = random.pick([50, 200, HTTP.writeTimeoutMs * 2]);
  const length = random.between(1_000_000, 4_000_000);
  const id = member.id();
  const answer = await member.sendAlone(member.call('big', { length }, { id }));
  answer.pause();
  await member.rest(pauseMs);
  answer.resume();
  await answer.end();
  if (!answer.complete && pauseMs > HTTP.writeTimeoutMs / 2) member.tally.count('cut off');
  else if (!member.isRefused(answer, id)) expectText(answer, id, 'x'.repeat(length));
}

/** After the notification nothing more comes, neither result nor error. */
export async function cancel(member) {
  const id = member.id();
  const answer = await member.sendAlone(member.call('slow', { ms: 60_000 }, { id, token: 'c' }));
  await answer.until(({ messages, over }) => messages.length > 0 || over);
  if (member.isRefused(answer, id)) return;
  const before = answer.messages.length;
  const accepted = await (await member.send(cancelOf(id, member.headers))).end();
  expect(accepted.status === 202 && accepted.text === '', `a cancellation with status ${accepted.status}`);
  await answer.end();
  expect(answer.messages.length === before || isLate(answer), 'a cancelled stream had more to say');
}

/** Without a stream, a cancelled call ends with 204; unless it had ended before. */
export async function cancelBlindly(member) {
  const ms = member.random.between(20, 400);
  const id = member.id();
  const opening = member.sendAlone(member.call('slow', { ms }, { id }));
  await member.rest(member.random.between(0, 60));
  const [accepted, answer] = await Promise.all([member.send(cancelOf(id, member.headers)), opening]);
  await Promise.all([accepted.end(), answer.end()]);
  expect(accepted.status === 202, `a cancellation with status ${accepted.status}`);
  if (answer.status === 204) expect(answer.text === '', 'a 204 with a body');
  else if (!member.isRefused(answer, id)) expectText(answer, id, `rested ${ms}`);
}

/** One device may use an id once at a time. */
export async function repeatId(member) {
  const id = member.id();
  const first = await member.sendAlone(member.call('slow', { ms: 60_000 }, { id, token: 'd' }));
  await first.until(({ messages, over }) => messages.length > 0 || over);
  if (member.isRefused(first, id)) return;
  const second = await (await member.send(member.call('echo', { text: 'again' }, { id }))).end();
  // The first may have met its deadline just before; its end comes on another connection.
  if (second.status !== 409) await member.rest(50);
  const isFree = first.over;
  first.destroy();
  if (!member.isRefused(second, id)) {
    expect(second.status === 409 || isFree, `status ${second.status} for an id that is in use`);
  }
}
