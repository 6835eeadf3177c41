import { riot, warmUp } from './crowd.mjs';
import { echo } from './clients/calls.mjs';
import { listen } from './clients/listeners.mjs';
import { LIMITS, MOST_DRIFT_BYTES } from './limits.mjs';
import { Member } from './member.mjs';
import { SeededRandom } from './seeded-random.mjs';
import { besiege } from './siege.mjs';
import { ServerProcess } from './server-process.mjs';
import { Tally } from './tally.mjs';

const SETTLE_MS = 10_000;
const PAUSE_MS = 20;

/** One server, one crowd, one verdict: what happened, and every reason why it was not right. */
export async function runRound(adapter, { seed, seconds }) {
  const tally = new Tally();
  const random = new SeededRandom(seed);
  const server = await ServerProcess.start(adapter);
  try {
    await warmUp(server.origin, random.fork(), tally);
    await settle(server, tally);
    const before = await pictureOf(server);
    await riot(server.origin, random.fork(), tally, seconds * 1_000);
    await settle(server, tally);
    const waits = await besiege(server, random.fork(), tally, seconds * 1_000);
    await settle(server, tally);
    const after = await pictureOf(server);
    compare(before, after, tally);
    await farewell(server, random.fork(), tally);
    return { tally, waits, driftBytes: after.memory - before.memory };
  } catch (error) {
    tally.wrong(`the server: ${error.message}`);
    return { tally, waits: [], driftBytes: 0 };
  } finally {
    server.destroy();
  }
}

async function pictureOf(server) {
  const memory = await server.ask('memory');
  return { memory, belongings: await server.ask('belongings') };
}

/** All clients have gone, so there must be an end to all work. */
async function settle(server, tally) {
  const deadline = performance.now() + SETTLE_MS;
  while (true) {
    const work = Object.entries(await server.ask('work')).filter(([, count]) => count !== 0);
    if (work.length === 0) return;
    if (performance.now() > deadline) {
      for (const [name, count] of work) tally.wrong(`the server kept ${count} ${name}`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function compare(before, after, tally) {
  const drift = after.memory - before.memory;
  if (drift > MOST_DRIFT_BYTES) tally.wrong(`the server holds ${(drift / 1e6).toFixed(1)} MB more than before`);
  for (const [name, count] of Object.entries(after.belongings)) {
    const had = before.belongings[name] ?? 0;
    if (count > had) tally.wrong(`the server has ${count} ${name} instead of ${had}`);
  }
}

/** It still answers, and leaves when it is told to: with a last word to whoever listens, and without a fault. */
async function farewell(server, random, tally) {
  const member = new Member('survivor', server.origin, random, tally);
  await echo(member);
  for (const misfortune of await server.ask('misfortunes')) tally.wrong(misfortune);
  const subscription = await listen(member, { toolsListChanged: true });
  const working = member.sendAlone(member.call('slow', { ms: 60_000 }, { id: 'last', token: 1 }));
  await (await working).until(({ messages }) => messages.length > 0);
  server.terminate();
  await subscription?.answer.end();
  if (subscription?.answer.message?.result?.resultType !== 'complete') {
    tally.wrong('a subscription was not completed when the server closed');
  }
  const late = new Promise((resolve) => setTimeout(resolve, LIMITS.drainTimeoutMs + SETTLE_MS, 'nothing').unref());
  const code = await Promise.race([server.ended, late]);
  if (code !== 0) tally.wrong(`SIGTERM ended the server with ${code}: ${server.complaints}`);
  member.leave();
}
