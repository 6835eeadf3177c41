import { Body, Controller, Delete, Get, Param, ParseIntPipe, Patch, Post, Req, UseGuards } from '@nestjs/common';
import { Tool } from 'nestjs-mcp';

import { ApiKeyGuard, ManagerGuard, type User } from './api-key.guard.js';
import { NewOrder, newCount, orderId } from './order.dto.js';
import { OrdersService, type Order } from './orders.service.js';

/** The existing controller, plus one decorator per method. Guards and pipes apply to routes and tools. */
@Controller('orders')
@UseGuards(ApiKeyGuard)
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  /** Read from the request, where the guard has stored the user for routes and tools. */
  @Get('me')
  @Tool({ name: 'who_am_i', description: 'Tell whose key it is' })
  me(@Req() request: { readonly user: User }): User {
    return request.user;
  }

  @Get(':id')
  @Tool({ name: 'get_order', description: 'Look up an order', input: orderId, annotations: { readOnlyHint: true } })
  get(@Param('id', ParseIntPipe) id: number): Order {
    return this.orders.find(id);
  }

  /** The class of the body also describes the tool. */
  @Post()
  @Tool({ name: 'place_order', description: 'Place an order' })
  place(@Body() order: NewOrder): Order {
    return this.orders.add(order);
  }

  @Patch(':id')
  @Tool({ name: 'change_count', description: 'Change how many are ordered', input: newCount })
  recount(@Param('id', ParseIntPipe) id: number, @Body('count', ParseIntPipe) count: number): Order {
    return this.orders.recount(id, count);
  }

  @Delete(':id')
  @UseGuards(ManagerGuard)
  @Tool({ name: 'cancel_order', description: 'Cancel an order; for managers', input: orderId })
  cancel(@Param('id', ParseIntPipe) id: number): Order {
    return this.orders.cancel(id);
  }
}
