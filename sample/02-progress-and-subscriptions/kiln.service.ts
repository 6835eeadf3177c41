import { setTimeout as pause } from 'node:timers/promises';
import { ConflictException, Injectable } from '@nestjs/common';

export interface Kiln {
  readonly state: 'cold' | 'firing' | 'ready';
  readonly celsius: number;
  readonly pots: readonly string[];
}

export const HIGHEST_CELSIUS = 1240;

const COLD: Kiln = { state: 'cold', celsius: 20, pots: [] };
const STEPS = [250, 500, 750, 1000, HIGHEST_CELSIUS];
const STEP_MS = 250;

/** The only kiln of the studio; an ordinary service that knows nothing about MCP. */
@Injectable()
export class KilnService {
  private kiln = COLD;
  private readonly listeners: ((kiln: Kiln) => Promise<void>)[] = [];

  get current(): Kiln {
    return this.kiln;
  }

  onChange(listener: (kiln: Kiln) => Promise<void>): void {
    this.listeners.push(listener);
  }

  /** Yields each temperature that is reached. Aborting the signal turns the kiln off. */
  async *fire(pots: readonly string[], signal: AbortSignal): AsyncGenerator<number> {
    this.requireCold();
    try {
      await this.become({ state: 'firing', celsius: COLD.celsius, pots });
      for (const celsius of STEPS) {
        await pause(STEP_MS, undefined, { signal });
        await this.become({ state: 'firing', celsius, pots });
        yield celsius;
      }
      await this.become({ state: 'ready', celsius: COLD.celsius, pots });
    } finally {
      if (this.kiln.state === 'firing') await this.become(COLD);
    }
  }

  /** Removes the pieces from the kiln. */
  async open(): Promise<readonly string[]> {
    const { state, pots } = this.kiln;
    if (state !== 'ready') throw new ConflictException('There is nothing to take out yet.');
    await this.become(COLD);
    return pots;
  }

  private requireCold(): void {
    if (this.kiln.state !== 'cold')
      throw new ConflictException('The kiln is in use. Wait for it, then call open_kiln.');
  }

  private async become(kiln: Kiln): Promise<void> {
    this.kiln = kiln;
    for (const listener of this.listeners) await listener(kiln);
  }
}
