import { Injectable } from '@nestjs/common';

export interface Colleague {
  readonly name: string;
}

/** The known badges; a real app would ask its directory. */
@Injectable()
export class Badges {
  private readonly known: ReadonlyMap<string, Colleague> = new Map([
    ['badge-ada', { name: 'Ada' }],
    ['badge-bob', { name: 'Bob' }],
  ]);

  find(badge: string): Colleague | undefined {
    return this.known.get(badge);
  }
}
