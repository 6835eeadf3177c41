import { Injectable } from '@nestjs/common';

export const FLAVOURS = ['almond', 'chocolate', 'lemon'] as const;

export type Flavour = (typeof FLAVOURS)[number];

export interface Wish {
  flavour: Flavour;
  guests: number;
  /** Day as `YYYY-MM-DD`. */
  day: string;
  writing?: string | null;
}

export interface Order {
  readonly number: number;
  readonly cake: string;
  readonly day: string;
  readonly price: number;
  /** The bakery's own cost, which clients must not see. */
  readonly cost: number;
}

const MONDAY = 1;

/** An ordinary service: it knows nothing about MCP, and does not check its arguments. */
@Injectable()
export class BakeryService {
  private readonly orders: Order[] = [];

  order({ flavour, guests, day, writing }: Wish): Order {
    const cake = `${flavour} cake for ${guests}${writing ? `, "${writing}"` : ''}`;
    const order = { number: this.orders.length + 1, cake, day, price: 12 + 3 * guests, cost: 5 + guests };
    this.orders.push(order);
    return order;
  }
}

/** The bakery is closed on Mondays. JSON Schema cannot express that. */
export function isOpenOn(day: string): boolean {
  return new Date(day).getUTCDay() !== MONDAY;
}

export const CLOSED = 'day is a Monday, when the bakery is closed';
