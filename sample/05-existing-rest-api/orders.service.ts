import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';

import type { NewOrder } from './order.dto.js';

export interface Order {
  readonly id: number;
  readonly article: string;
  readonly count: number;
  readonly state: 'open' | 'sent' | 'cancelled';
}

@Injectable()
export class OrdersService {
  private readonly orders = new Map<number, Order>([
    [1, { id: 1, article: 'pencil-2', count: 12, state: 'sent' }],
    [2, { id: 2, article: 'eraser-1', count: 3, state: 'open' }],
    [3, { id: 3, article: 'ruler-30', count: 1, state: 'open' }],
  ]);

  find(id: number): Order {
    const order = this.orders.get(id);
    if (order === undefined) throw new NotFoundException(`There is no order ${id}`);
    return order;
  }

  add({ article, count }: NewOrder): Order {
    return this.save({ id: this.orders.size + 1, article, count, state: 'open' });
  }

  recount(id: number, count: number): Order {
    if (count < 1 || count > 100) throw new BadRequestException('1 to 100 can be ordered');
    return this.save({ ...this.requireOpen(id), count });
  }

  cancel(id: number): Order {
    return this.save({ ...this.requireOpen(id), state: 'cancelled' });
  }

  private requireOpen(id: number): Order {
    const order = this.find(id);
    if (order.state !== 'open') throw new ConflictException(`Order ${id} is ${order.state} already`);
    return order;
  }

  private save(order: Order): Order {
    this.orders.set(order.id, order);
    return order;
  }
}
