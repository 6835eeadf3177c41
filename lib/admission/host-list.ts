const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const HOST = /^(\[[0-9a-f:.]+\]|[^\s/:@?#[\]\\]+)(?::(\d{1,5}))?$/;
const ORIGIN = /^(https?):\/\/(.+)$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };
const SCHEMES = Object.keys(DEFAULT_PORTS);

interface Entry {
  readonly scheme?: string;
  readonly host: string;
  readonly port?: string;
}

/** Creates the error for an entry of `allowedOrigins` or `allowedHosts` that cannot match anything. */
export function findHostProblem(entry: unknown): string | undefined {
  if (entry === '*' || entry === 'loopback') return undefined;
  if (typeof entry !== 'string') return 'entries are strings';
  return parseEntry(entry) === undefined
    ? `"${entry}" is neither a host ("example.com"), a host with port ("example.com:8443") nor an origin ("https://example.com")`
    : undefined;
}

function parseEntry(entry: string): Entry | undefined {
  const lower = entry.toLowerCase();
  const origin = ORIGIN.exec(lower);
  const match = HOST.exec(origin?.[2] ?? lower);
  if (match?.[1] === undefined) return undefined;
  return {
    host: match[1],
    ...(origin?.[1] === undefined ? {} : { scheme: origin[1] }),
    ...(match[2] === undefined ? {} : { port: match[2] }),
  };
}

/** A list of hosts, each with or without scheme and port; an omitted part of an entry matches anything. */
export class HostList {
  private readonly entries: readonly Entry[];
  private readonly all: boolean;

  constructor(allowed: readonly string[]) {
    this.all = allowed.includes('*');
    this.entries = allowed
      .flatMap((entry) => (entry === 'loopback' ? LOOPBACK : [entry]))
      .flatMap((entry) => parseEntry(entry) ?? []);
  }

  hasOrigin(origin: string): boolean {
    const [, scheme, rest] = ORIGIN.exec(origin.toLowerCase()) ?? [];
    const match = rest === undefined ? null : HOST.exec(rest);
    if (scheme === undefined || match?.[1] === undefined) return false;
    return this.all || this.matches(match[1], match[2] ?? DEFAULT_PORTS[scheme], scheme);
  }

  /** A Host header does not contain the scheme, so a host without a port has the default port of each scheme. */
  hasHost(host: string): boolean {
    const match = HOST.exec(host.toLowerCase());
    if (match?.[1] === undefined) return false;
    if (this.all || match[2] !== undefined) return this.all || this.matches(match[1], match[2]);
    return SCHEMES.some((scheme) => this.matches(match[1], DEFAULT_PORTS[scheme], scheme));
  }

  private matches(host: string, port: string | undefined, scheme?: string): boolean {
    return this.entries.some(
      (entry) =>
        entry.host === host &&
        (entry.port === undefined
          ? entry.scheme === undefined || port === DEFAULT_PORTS[entry.scheme]
          : entry.port === port) &&
        (entry.scheme === undefined || scheme === undefined || entry.scheme === scheme),
    );
  }
}
