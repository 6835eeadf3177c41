import { ATTACKERS } from './clients/attackers.mjs';
import { expectText, Member } from './member.mjs';

/** What a call of the known caller takes by itself, so that its time is that of its turn and not of the machine. */
const WORK_MS = 25;
/** Calls by which a time is judged. */
const LEAST_CALLS = 40;
/** How many times as long a known caller may wait while the server is attacked. */
const MOST_FACTOR = 5;

/** Each attacker in turn, beside a caller whom the server knows: it loses nothing, and hardly waits longer than alone. */
export async function besiege(server, random, tally, milliseconds) {
  const known = new Member('known', server.origin, random.fork(), tally);
  const alone = await callFor(known, 0);
  const findings = [];
  for (const attack of ATTACKERS) {
    const end = performance.now() + milliseconds / ATTACKERS.length;
    let over = false;
    const siege = repeat(attack, server.origin, end).finally(() => (over = true));
    const times = await callFor(known, end, () => over);
    await siege;
    tally.count(attack.name);
    const factor = percentile(times) / percentile(alone);
    findings.push(`${attack.name} ${factor.toFixed(1)}`);
    if (factor > MOST_FACTOR) tally.wrong(`${attack.name}: a known caller waited ${factor.toFixed(1)} times as long`);
  }
  known.leave();
  return findings;
}

async function repeat(attack, origin, end) {
  do await attack(origin);
  while (performance.now() < end);
}

/** Calls one after the other, at least so many of them; gives how long each took. */
async function callFor(member, end, isOver = () => true) {
  const times = [];
  while (times.length < LEAST_CALLS || performance.now() < end || !isOver()) {
    const id = member.id();
    const answer = await (await member.send(member.call('slow', { ms: WORK_MS }, { id }))).end();
    times.push(answer.tookMs);
    try {
      expectText(answer, id, `rested ${WORK_MS}`);
    } catch (error) {
      member.tally.wrong(`a known caller under attack: ${error.message}`);
    }
    if (times.length > 10_000) break;
  }
  return times;
}

function percentile(times) {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))];
}
