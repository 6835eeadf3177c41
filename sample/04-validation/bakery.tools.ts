import { BadRequestException, Injectable } from '@nestjs/common';
import { Tool, type ToolArgs } from 'nestjs-mcp';

import { BakeryService, CLOSED, isOpenOn, type Order, type Wish } from './bakery.service.js';
import { CakeArgs } from './cake.dto.js';
import { cakeArgs, cakeSchema, receipt } from './cake.schemas.js';

/** The same tool in three forms. Use the form that your app already uses. */
@Injectable()
export class BakeryTools {
  constructor(private readonly bakery: BakeryService) {}

  /** The class of the parameter is enough. */
  @Tool({ description: 'Order a cake; described by a DTO class', output: receipt })
  orderByDto(args: CakeArgs): Order {
    return this.bakery.order(args);
  }

  /** The compiler compares the schema with the parameter. */
  @Tool({ description: 'Order a cake; described by Zod', input: cakeArgs, output: receipt })
  orderByZod(args: ToolArgs<typeof cakeArgs>): Order {
    return this.bakery.order(args);
  }

  /** The method has to do what JSON Schema cannot: defaults, and the closing day. */
  @Tool({ description: 'Order a cake; described by JSON Schema', input: cakeSchema, output: receipt })
  orderByJsonSchema({ guests = 8, ...wish }: Omit<Wish, 'guests'> & { guests?: number }): Order {
    if (!isOpenOn(wish.day)) throw new BadRequestException(CLOSED);
    return this.bakery.order({ guests, ...wish });
  }

  /** A result that breaks the output schema is an error of the app, so clients get no details. */
  @Tool({ description: 'Show an order from the old books, which have no prices', output: receipt })
  showOldOrder(): unknown {
    return { number: 0, cake: 'lemon cake for 6', day: '1999-12-31', price: 'ask Ada' };
  }
}
