import { big, deadline, echo, failure, flood, list, progress } from './clients/calls.mjs';
import { garbage, halfBody, halfHead, misdirected, oversize } from './clients/broken.mjs';
import { cancel, cancelBlindly, leave, leaveEarly, readSlowly, repeatId } from './clients/leavers.mjs';
import { glance, keepAlive, linger, listenSlowly, publish, watch } from './clients/listeners.mjs';
import { Member } from './member.mjs';

const SIZE = 24;
/** Longer than every limit of the server together, so whoever waits that long waits in vain. */
const PATIENCE_MS = 15_000;

/** What a client may do, and how often it does. */
const ACTS = [
  [echo, 30],
  [list, 8],
  [progress, 12],
  [big, 4],
  [failure, 4],
  [deadline, 4],
  [flood, 1],
  [halfHead, 5],
  [halfBody, 5],
  [oversize, 4],
  [garbage, 10],
  [misdirected, 8],
  [leave, 8],
  [leaveEarly, 6],
  [readSlowly, 2],
  [cancel, 5],
  [cancelBlindly, 5],
  [repeatId, 3],
  [watch, 8],
  [linger, 3],
  [keepAlive, 2],
  [listenSlowly, 2],
  [glance, 4],
  [publish, 3],
];

async function perform(member, act) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${PATIENCE_MS / 1_000} s`)), PATIENCE_MS);
  });
  try {
    await Promise.race([act(member), late]);
    member.tally.count(act.name);
  } catch (error) {
    member.tally.wrong(`${act.name}: ${error.message}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Every act once, one after the other, so that whatever is made at its first use has been made. */
export async function warmUp(origin, random, tally) {
  const member = new Member('early bird', origin, random, tally);
  for (const [act] of ACTS) await perform(member, act);
  await Promise.all(Array.from({ length: 4 }, () => flood(member)));
  for (let round = 0; round < 300; round += 1) await perform(member, echo);
  member.leave();
}

/** Random clients, all at once, for this time. */
export async function riot(origin, random, tally, milliseconds) {
  const end = performance.now() + milliseconds;
  const members = Array.from(
    { length: SIZE },
    (_, index) => new Member(`client ${index}`, origin, random.fork(), tally),
  );
  await Promise.all(
    members.map(async (member) => {
      while (performance.now() < end) await perform(member, member.random.weighted(ACTS));
      member.leave();
    }),
  );
}
