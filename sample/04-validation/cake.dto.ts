import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min, ValidateBy } from 'class-validator';
import { Describe } from 'nestjs-mcp';

import { CLOSED, FLAVOURS, isOpenOn, type Flavour } from './bakery.service.js';

/** A custom rule: it is not advertised to clients, and it runs after the schema check. */
const IsOpeningDay = (): PropertyDecorator =>
  ValidateBy({
    name: 'isOpeningDay',
    validator: { validate: (day: unknown) => typeof day === 'string' && isOpenOn(day), defaultMessage: () => CLOSED },
  });

export class CakeArgs {
  @Describe('What the cake tastes of')
  @IsIn(FLAVOURS)
  flavour!: Flavour;

  @Describe('How many people it is for')
  @IsInt()
  @Min(2)
  @Max(40)
  guests: number = 8;

  @Describe('When it is fetched, as YYYY-MM-DD')
  @IsString()
  @Matches(/^\d{4}-\d{2}-\d{2}$/)
  @IsOpeningDay()
  day!: string;

  @Describe('What is written on it')
  @IsOptional()
  @IsString()
  @MaxLength(30)
  writing?: string | null;
}
