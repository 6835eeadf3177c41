import { IsInt, IsString, Length, Max, Min } from 'class-validator';
import { z } from 'zod';

/** The body of the route is the input of the tool. */
export class NewOrder {
  @IsString()
  @Length(8, 8)
  article!: string;

  @IsInt()
  @Min(1)
  @Max(100)
  count!: number;
}

/** The arguments of a tool are one object, where routes have path parameters and a body. */
export const orderId = z.strictObject({ id: z.int().describe('Number of the order') });

export const newCount = z.strictObject({ id: orderId.shape.id, count: z.int().min(1).max(100) });
