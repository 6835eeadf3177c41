import { brief, expect, expectText } from '../member.mjs';
import { mcpRequest } from '../requests.mjs';
import { HTTP } from '../limits.mjs';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** Opens a subscription whose acknowledgement has come, or nothing where the server had no place. */
export async function listen(member, notifications) {
  const id = member.id();
  const posted = mcpRequest('subscriptions/listen', { notifications }, { id, headers: member.headers });
  const answer = await member.sendAlone(posted);
  await answer.until(({ messages, over }) => messages.length > 0 || over);
  if (member.isRefused(answer, id)) return undefined;
  const [first] = answer.messages;
  expect(
    first?.method === 'notifications/subscriptions/acknowledged' && subscriptionOf(first) === id,
    `a subscription began with ${answer.status} ${brief(first)}`,
  );
  return { id, answer };
}

const subscriptionOf = (message) => message.params?.['_meta']?.[SUBSCRIPTION];

/** Whatever comes belongs to this subscription and is about what it asked for. */
function expectOwn({ id, answer }, isWanted) {
  for (const message of answer.messages.slice(1)) {
    expect(subscriptionOf(message) === id, `a change for another subscription: ${brief(message)}`);
    expect(isWanted(message), `a change that nobody asked for: ${brief(message)}`);
  }
}

function depart(member, { answer }) {
  if (member.random.chance(0.5)) answer.destroy();
  else answer.reset();
}

/** Watches one resource, changes it, and must hear of that and of no other. */
export async function watch(member) {
  const uri = `chaos://${member.name.replaceAll(' ', '-')}-${member.random.between(0, 1e9)}`;
  const subscription = await listen(member, { resourceSubscriptions: [uri] });
  if (subscription === undefined) return;
  const id = member.id();
  const touched = await (await member.send(member.call('touch', { uri }, { id }))).end();
  if (!member.isRefused(touched, id)) {
    expectText(touched, id, `touched ${uri}`);
    const isUpdate = ({ method, params }) => method === 'notifications/resources/updated' && params.uri === uri;
    expect(await subscription.answer.until(({ messages }) => messages.some(isUpdate)), 'a subscription was cut off');
    expectOwn(subscription, isUpdate);
    member.tally.count('updates');
  }
  depart(member, subscription);
}

/** Stays for a while, hears whatever changes and that the server is still there. */
export async function linger(member) {
  const subscription = await listen(member, { toolsListChanged: true });
  if (subscription === undefined) return;
  await member.rest(member.random.between(0, HTTP.keepAliveMs * 5));
  expectOwn(subscription, ({ method }) => method === 'notifications/tools/list_changed');
  depart(member, subscription);
}

/** An open subscription is kept alive by comments. */
export async function keepAlive(member) {
  const subscription = await listen(member, { resourceSubscriptions: ['chaos://untouched'] });
  if (subscription === undefined) return;
  expect(await subscription.answer.until(({ comments }) => comments > 1), 'a subscription was cut off');
  depart(member, subscription);
}

/** Stops reading while changes come. */
export async function listenSlowly(member) {
  const subscription = await listen(member, { toolsListChanged: true });
  if (subscription === undefined) return;
  subscription.answer.pause();
  await member.rest(member.random.between(0, HTTP.writeTimeoutMs * 2));
  subscription.answer.resume();
  depart(member, subscription);
}

/** Opens and leaves before anything is said. */
export async function glance(member) {
  const posted = mcpRequest('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: member.id() });
  const opening = member.sendAlone(posted).catch(() => undefined);
  const answer = await Promise.race([opening, member.rest(member.random.between(0, 5))]);
  answer?.destroy();
  void opening.then((late) => late?.destroy());
}

/** Changes the list of tools for whoever listens. */
export async function publish(member) {
  for (let round = member.random.between(1, 20); round > 0; round -= 1) {
    const id = member.id();
    const answer = await (await member.send(member.call('relist', {}, { id }))).end();
    if (!member.isRefused(answer, id)) expectText(answer, id, 'listed anew');
  }
}
