import { Load } from './load.mjs';
import { Fleet } from './server.mjs';

/**
 * How long everything takes. `seconds` scales every slice; startups, open streams and allocation runs have numbers of
 * their own. Peers take part less often, and not at all in a quick run. Servers are warm in both, since a verdict on code
 * that the compiler has not finished says nothing.
 */
export const PACES = Object.freeze({
  full: {
    rounds: 7,
    peerRounds: 5,
    seconds: 2,
    warmRequests: 12_000,
    startups: 7,
    peerStartups: 3,
    loaded: 3,
    loadedRequests: 20_000,
    sampledRequests: 10_000,
    samplings: 3,
    countedCalls: 60,
    streamRounds: 7,
    publications: 11,
    listenerPairs: 4,
  },
  quick: {
    // Many short rounds: other work of the machine changes less between two servers.
    rounds: 9,
    peerRounds: 0,
    seconds: 0.22,
    warmRequests: 16_000,
    startups: 6,
    peerStartups: 0,
    loaded: 2,
    loadedRequests: 6_000,
    sampledRequests: 2_000,
    samplings: 1,
    countedCalls: 20,
    streamRounds: 3,
    publications: 5,
    listenerPairs: 3,
  },
});

const PEER_SHARE = 5;

/** What the rows share: pace, servers, load generator, and remarks on how far to trust the figures. */
export class Bench {
  fleet = new Fleet();
  #clientBound = new Set();

  constructor(pace, load) {
    this.pace = pace;
    this.load = load;
  }

  static async start(pace) {
    return new Bench(pace, await Load.start());
  }

  /** Checks the answer, then lets the compiler see enough of them; peers are slow, so less has to do for them. */
  async warm(server, request, { connections, peer, warmth = 1 }) {
    await server.verify(request);
    const enough = Math.ceil((this.pace.warmRequests * warmth) / (peer ? PEER_SHARE : 1));
    const amount = Math.max(enough - server.servedOf(request), connections);
    await this.load.run(server, request, { connections, amount });
  }

  /** A slice in which the load generator was the slower side says little of requests per second. */
  observe(key, { clientBusy, serverBusy }) {
    if (clientBusy > 0.95 && serverBusy < 0.9) this.#clientBound.add(key);
  }

  get clientBound() {
    return [...this.#clientBound];
  }

  async stop() {
    await this.fleet.stop();
    await this.load.stop();
  }
}
