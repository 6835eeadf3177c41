import { Injectable, NotFoundException } from '@nestjs/common';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min, MinLength } from 'class-validator';
import { Describe, McpContext, Tool } from 'nestjs-mcp';
import { z } from 'zod';

import { PriceList } from './price-list.service.js';

class TripArgs {
  @Describe('Where to') @IsString() @MinLength(1) city!: string;
}

/** A form can be a class or a Zod schema. */
class TravellerForm {
  @Describe('Name as in the passport') @IsString() @MinLength(1) name!: string;
  @Describe('Pieces of luggage') @IsOptional() @IsInt() @Min(0) @Max(3) bags?: number = 0;
  @Describe('A seat at the window') @IsOptional() @IsBoolean() window?: boolean = false;
}

const consentForm = z.object({ agreed: z.boolean().meta({ title: 'I agree to the price' }) });

@Injectable()
export class TripTools {
  private readonly booked: string[] = [];

  constructor(private readonly prices: PriceList) {}

  /** Runs from the start after every answer; put code that must not run twice after the last question. */
  @Tool({ description: 'Book a trip, with the consent of the traveller' })
  async bookTrip({ city }: TripArgs, context: McpContext): Promise<string> {
    // The traveller agrees to the price that was shown.
    const price = await context.once('price', () => this.prices.quote(city));
    if (price === undefined) throw new NotFoundException(`There are no trips to ${city}. Try Oslo, Rome or Lima.`);
    if (!context.client.can('elicitation.form'))
      return `A trip to ${city} costs ${price} euros. Ask the user to call us.`;

    const who = await context.elicit('traveller', { message: `Who travels to ${city}?`, schema: TravellerForm });
    if (who.action !== 'accept') return 'Nobody travels, then.';
    const { name, bags } = who.content;
    const consent = await context.elicit('consent', {
      message: `${name} to ${city} with ${bags} bags for ${price} euros?`,
      schema: consentForm,
    });
    if (consent.action !== 'accept' || !consent.content.agreed) return 'Nothing was booked.';
    this.booked.push(`${name} to ${city}`);
    return `Booked: ${name} to ${city}, ${price} euros. Trips so far: ${this.booked.length}`;
  }

  /** The page asks for the card, so the client never gets its data. */
  @Tool({ description: 'Pay for what was booked, on a page of the bank' })
  async pay(context: McpContext): Promise<string> {
    const order = await context.once('order', () => `order-${this.booked.length}`);
    const { action } = await context.elicitUrl('bank', {
      message: 'Pay on the page of the bank',
      url: `https://bank.example.com/pay/${order}`,
    });
    // Accepting means that the page was opened. A real app would ask its bank about the payment.
    return action === 'accept' ? `Waiting for the payment of ${order}` : 'Not paid';
  }
}
