import { McpError } from '../../errors/mcp.error.js';

/** Values that are computed once for all rounds of a call, as JSON. */
export class OnceValues {
  private readonly settled = new Map<string, string | undefined>();
  private readonly computing = new Map<string, Promise<string | undefined>>();

  /** Values that are computed; pending ones are computed again in the next round. */
  get known(): ReadonlyMap<string, string | undefined> {
    return this.settled;
  }

  restore(values: ReadonlyMap<string, string | undefined>): void {
    for (const [key, json] of values) this.settled.set(key, json);
  }

  /** Returns the value after a JSON round trip, so that the first run gets the same value as later ones. */
  async get<T>(key: string, compute: () => T | Promise<T>): Promise<T> {
    const json = this.settled.has(key) ? this.settled.get(key) : await this.compute(key, compute);
    return (json === undefined ? undefined : JSON.parse(json)) as T;
  }

  private compute(key: string, compute: () => unknown): Promise<string | undefined> {
    let pending = this.computing.get(key);
    if (pending === undefined) {
      pending = this.run(key, compute).finally(() => this.computing.delete(key));
      this.computing.set(key, pending);
    }
    return pending;
  }

  private async run(key: string, compute: () => unknown): Promise<string | undefined> {
    const json = write(key, await compute());
    this.settled.set(key, json);
    return json;
  }
}

function write(key: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  let json: string | undefined;
  let cause: unknown;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    cause = error;
  }
  if (json !== undefined) return json;
  throw new McpError(
    'MCP_ONCE_NOT_JSON',
    `The value of once("${key}") cannot be stored, since JSON cannot encode it.`,
    {
      cause,
    },
  );
}
