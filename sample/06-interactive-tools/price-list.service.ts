import { Injectable } from '@nestjs/common';

const FARES: Readonly<Record<string, number>> = { oslo: 120, rome: 90, lima: 640 };
const SURPRISE = 7;

/** A mock of a supplier whose prices change all the time. */
@Injectable()
export class PriceList {
  private asked = 0;

  /** Price in euros; it rises with every request. */
  async quote(city: string): Promise<number | undefined> {
    const fare = FARES[city.toLowerCase()];
    if (fare === undefined) return undefined;
    this.asked += 1;
    return fare + SURPRISE * this.asked;
  }
}
