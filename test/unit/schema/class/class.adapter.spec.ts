import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  Contains,
  Equals,
  IsArray,
  IsBoolean,
  IsDate,
  IsDateString,
  IsDefined,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  Min,
  MinDate,
  MinLength,
  registerDecorator,
  Validate,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';
import { Describe, McpHeader, OpenObject } from '../../../../lib/decorators/describe.decorator.js';
import type { SchemaVerdict } from '../../../../lib/schema/component-schema.js';
import { SchemaResolver } from '../../../../lib/schema/schema.resolver.js';

const resolver = new SchemaResolver();
const input = (source: unknown) => resolver.resolve(source, 'input');
const jsonOf = async (source: unknown) => (await input(source)).json;

async function judge(source: unknown, value: unknown): Promise<SchemaVerdict> {
  return (await input(source)).validate(value);
}

async function issuesOf(source: unknown, value: unknown): Promise<string[]> {
  const verdict = await judge(source, value);
  return verdict.ok ? [] : verdict.issues.map(({ path, message }) => `${path}: ${message}`);
}

async function accepted<T>(source: new () => T, value: unknown): Promise<T> {
  const verdict = await judge(source, value);
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.issues));
  return verdict.value as T;
}

class Item {
  @IsString() sku!: string;
  @IsInt() @Min(1) count!: number;
}

describe('what a DTO class advertises', () => {
  it('describes members, bounds, optional ones and defaults', async () => {
    class GreetArgs {
      @Describe('Who to greet') @IsString() @MinLength(1) name!: string;
      @IsOptional() @IsInt() @Min(1) @Max(10) times?: number = 1;
      @IsOptional() @IsString() tag?: string;
    }
    expect(await jsonOf(GreetArgs)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'Who to greet' },
        times: { type: ['integer', 'null'], minimum: 1, maximum: 10, default: 1 },
        tag: { type: ['string', 'null'] },
      },
      required: ['name'],
      additionalProperties: false,
    });
  });

  it('shows the items of arrays and the members of nested classes', async () => {
    class Order {
      @ValidateNested({ each: true }) @Type(() => Item) @ArrayMinSize(1) lines!: Item[];
      @IsString({ each: true }) @ArrayMaxSize(3) @ArrayUnique() tags!: string[];
      @ValidateNested() gift!: Item;
      @IsArray() anything!: unknown[];
    }
    const json = await jsonOf(Order);
    const item = { $ref: '#/$defs/Item' };
    expect(json['properties']).toEqual({
      lines: { type: 'array', items: { type: 'object', ...item }, minItems: 1 },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 3, uniqueItems: true },
      gift: { type: 'object', ...item },
      anything: { type: 'array', items: {} },
    });
    expect(json['$defs']).toEqual({
      Item: {
        type: 'object',
        properties: { sku: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
        required: ['sku', 'count'],
        additionalProperties: false,
      },
    });
  });

  it('writes a class that is used once where it is used', async () => {
    class Parcel {
      @ValidateNested() item!: Item;
    }
    expect(await jsonOf(Parcel)).toMatchObject({
      properties: { item: { type: 'object', properties: { sku: { type: 'string' } } } },
    });
  });

  it('refers to itself by a local reference', async () => {
    class Tree {
      @IsString() label!: string;
      @IsOptional() @ValidateNested({ each: true }) @Type(() => Tree) children?: Tree[];
    }
    expect(await jsonOf(Tree)).toMatchObject({
      properties: { children: { type: ['array', 'null'], items: { type: 'object', $ref: '#' } } },
    });
    expect(await issuesOf(Tree, { label: 'a', children: [{ label: 'b', children: [{ label: 5 }] }] })).toEqual([
      'children[0].children[0].label: must be string',
    ]);
    const tree = await accepted(Tree, { label: 'a', children: [{ label: 'b' }] });
    expect(tree.children?.[0]).toBeInstanceOf(Tree);
  });

  it('lists the values of enums without the reverse names of numeric ones', async () => {
    enum Level {
      Low = 1,
      High = 2,
    }
    enum Colour {
      Red = 'red',
      Green = 'green',
    }
    class Painted {
      @IsEnum(Level) level!: Level;
      @IsEnum(Colour, { each: true }) colours!: Colour[];
      @IsIn(['a', 1]) mixed!: string | number;
      @Equals(true) sure!: boolean;
      @IsOptional() @IsEnum(Colour) maybe?: Colour;
    }
    expect((await jsonOf(Painted))['properties']).toEqual({
      level: { type: 'integer', enum: [1, 2] },
      colours: { type: 'array', items: { type: 'string', enum: ['red', 'green'] } },
      mixed: { type: ['string', 'integer'], enum: ['a', 1] },
      sure: { type: 'boolean', const: true },
      maybe: { type: ['string', 'null'], enum: ['red', 'green', null] },
    });
    expect(await issuesOf(Painted, { level: 'Low', colours: [], mixed: 1, sure: true })).not.toEqual([]);
  });

  it('inherits rules and notes, and lets a class override them', async () => {
    class Base {
      @Describe('base') @IsString() @MinLength(2) name!: string;
      @IsInt() size!: number;
    }
    class Derived extends Base {
      @Describe('derived') @IsString() @MinLength(5) declare name: string;
    }
    expect((await jsonOf(Derived))['properties']).toEqual({
      name: { type: 'string', minLength: 5, description: 'derived' },
      size: { type: 'integer' },
    });
    expect((await jsonOf(Base))['properties']).toMatchObject({ name: { minLength: 2, description: 'base' } });
  });

  it('uses descriptions of @nestjs/swagger if there is no @Describe', async () => {
    const ApiProperty = (options: object) => (target: object, member: string) =>
      Reflect.defineMetadata('swagger/apiModelProperties', options, target, member);
    class Documented {
      @ApiProperty({ description: 'from swagger' }) @IsString() a!: string;
      @Describe('ours') @ApiProperty({ description: 'from swagger' }) @IsString() b!: string;
    }
    expect((await jsonOf(Documented))['properties']).toEqual({
      a: { type: 'string', description: 'from swagger' },
      b: { type: 'string', description: 'ours' },
    });
  });

  it('opens a class only by @OpenObject', async () => {
    @OpenObject()
    class Open {
      @IsString() a!: string;
    }
    expect(await jsonOf(Open)).not.toHaveProperty('additionalProperties');
    expect(await accepted(Open, { a: 'x', more: 1 })).toEqual({ a: 'x', more: 1 });
  });

  it('keeps a marked optional member free of null, which clients refuse beside a header mark', async () => {
    class Marked {
      @McpHeader('Region') @IsOptional() @IsString() region?: string;
    }
    expect((await jsonOf(Marked))['properties']).toEqual({ region: { type: 'string', 'x-mcp-header': 'Region' } });
  });

  it('uses the type of the compiler where no rule names one', async () => {
    class Typed {
      @IsNotEmpty() name!: string;
      @IsDefined() count!: number;
      @IsNotEmpty() anything!: unknown;
      @Allow() free?: unknown;
    }
    expect(await jsonOf(Typed)).toMatchObject({
      properties: {
        name: { type: 'string', minLength: 1 },
        count: { type: 'number' },
        anything: { not: { enum: ['', null] } },
        free: {},
      },
      required: ['name', 'count', 'anything'],
    });
  });
});

describe('defaults of class-field initialisers', () => {
  it('does not require what has one, and fills it in', async () => {
    class WithDefaults {
      @IsInt() limit = 10;
      @IsOptional() @IsString({ each: true }) tags: string[] = ['a'];
    }
    expect(await jsonOf(WithDefaults)).toMatchObject({
      properties: { limit: { default: 10 }, tags: { default: ['a'] } },
    });
    expect(await jsonOf(WithDefaults)).not.toHaveProperty('required');
    expect(await accepted(WithDefaults, {})).toEqual({ limit: 10, tags: ['a'] });
    expect(await accepted(WithDefaults, { limit: 3, tags: null })).toEqual({ limit: 3, tags: null });
  });

  it('requires a member whose initialiser breaks its own rules', async () => {
    class Placeholder {
      @IsString() @IsNotEmpty() name = '';
      @IsEmail() mail = 'none';
      @ValidateNested() @Type(() => Item) item: Item = new Item();
    }
    const json = await jsonOf(Placeholder);
    expect(json['required']).toEqual(['name', 'mail', 'item']);
    expect(JSON.stringify(json)).not.toContain('default');
  });

  it('does not advertise what differs from one instance to the next', async () => {
    let count = 0;
    class Counted {
      @IsInt() at = count++;
      @IsDate() @Type(() => Date) when = new Date(0);
    }
    expect(await jsonOf(Counted)).not.toHaveProperty('required');
    expect(JSON.stringify(await jsonOf(Counted))).not.toContain('default');
    expect((await accepted(Counted, {})).when).toEqual(new Date(0));
  });
});

describe('what a DTO class enforces', () => {
  class Args {
    @IsString() text!: string;
    @IsOptional() @IsInt() n?: number;
    @IsOptional() @IsObject() filter?: object;
  }

  it.each([
    ['a missing member', {}, "text: must have required property 'text'"],
    ['a wrong type', { text: 5 }, 'text: must be string'],
    ['an undeclared member', { text: 'x', toolCallId: 'c1' }, ": must not have the property 'toolCallId'"],
    ['a number as a string', { text: 'x', n: '890' }, 'n: must be integer or null'],
    ['an object as a string', { text: 'x', filter: '{"a":1}' }, 'filter: must be object or null'],
    ['null where a value is required', { text: null }, 'text: must be string'],
    ['no object at all', [], ': must be object'],
  ])('refuses %s', async (_name, value, issue) => {
    expect((await issuesOf(Args, value)).map((text) => text.replace(/^: must have/, 'text: must have'))).toEqual([
      issue,
    ]);
  });

  it('takes null for an optional member, as @IsOptional does', async () => {
    expect(await accepted(Args, { text: 'x', n: null })).toMatchObject({ n: null });
  });

  it('hands instances to the handler, nested ones too', async () => {
    class Order {
      @ValidateNested({ each: true }) @Type(() => Item) lines!: Item[];
      total() {
        return this.lines.reduce((sum, { count }) => sum + count, 0);
      }
    }
    const order = await accepted(Order, {
      lines: [
        { sku: 'a', count: 2 },
        { sku: 'b', count: 3 },
      ],
    });
    expect(order.lines[0]).toBeInstanceOf(Item);
    expect(order.total()).toBe(5);
    expect(await issuesOf(Order, { lines: [{ sku: 5, count: 0 }] })).toEqual([
      'lines[0].sku: must be string',
      'lines[0].count: must be >= 1',
    ]);
  });

  it('turns date-times into dates, and refuses those that do not exist', async () => {
    class Dated {
      @IsDate() @Type(() => Date) at!: Date;
      @IsOptional() @IsDate({ each: true }) @Type(() => Date) all?: Date[];
      @IsOptional() @MinDate(new Date('2020-01-01')) @Type(() => Date) since?: Date;
    }
    expect((await jsonOf(Dated))['properties']).toMatchObject({
      at: { type: 'string', format: 'date-time' },
      all: { type: ['array', 'null'], items: { type: 'string', format: 'date-time' } },
    });
    const at = '2026-01-01T00:00:00Z';
    expect(await accepted(Dated, { at, all: [at] })).toMatchObject({ at: new Date(at), all: [new Date(at)] });
    expect(await issuesOf(Dated, { at: '2026-12-31T23:59:60Z' })).not.toEqual([]);
    expect(await issuesOf(Dated, { at: 5 })).toEqual(['at: must be string']);
    expect(await issuesOf(Dated, { at, since: '2019-01-01T00:00:00Z' })).toHaveLength(1);
  });

  it('narrows by rules that JSON Schema cannot express', async () => {
    class Narrowed {
      @IsOptional() @IsEmail() mail?: string;
      @IsOptional() @IsUUID('4') id?: string;
      @IsOptional() @IsDateString() on?: string;
      @IsOptional() @Matches(/^[a-z]+$/i) word?: string;
      @IsOptional() @Matches(/^.$/) one?: string;
    }
    expect(await accepted(Narrowed, { mail: 'a@b.co', on: '2026-01-01T00:00:00Z', word: 'AbC' })).toBeInstanceOf(
      Narrowed,
    );
    expect(await accepted(Narrowed, { on: '2026-01-01' })).toBeInstanceOf(Narrowed);
    for (const value of [
      { mail: 'a@b' },
      { id: '6ba7b810-9dad-11d1-80b4-00c04fd430c8' },
      { on: '2026-13-01' },
      { word: '1' },
      { one: '😀' },
    ]) {
      expect(await issuesOf(Narrowed, value)).toHaveLength(1);
    }
  });

  it('counts characters as JSON Schema does', async () => {
    class Short {
      @Length(2, 3) text!: string;
    }
    expect(await issuesOf(Short, { text: '😀😀😀' })).toEqual([]);
    expect(await issuesOf(Short, { text: '😀' })).toHaveLength(1);
    expect(await issuesOf(Short, { text: 'a️' })).toEqual([]);
  });

  it('counts decimals exactly', async () => {
    class Price {
      @IsNumber({ maxDecimalPlaces: 2 }) @IsPositive() amount!: number;
    }
    for (const amount of [19.99, 0.3, 123456.78, 1e21]) expect(await issuesOf(Price, { amount })).toEqual([]);
    for (const amount of [0.001, 1e-7, 0, '1']) expect(await issuesOf(Price, { amount })).not.toEqual([]);
  });

  it('runs rules of the author, synchronous or not, and also those that borrow a built-in name', async () => {
    const rule =
      (name: string, validate: (value: unknown) => boolean | Promise<boolean>) => (target: object, member: string) =>
        registerDecorator({ name, target: target.constructor, propertyName: member, validator: { validate } });
    @ValidatorConstraint({ name: 'even' })
    class Even {
      validate(value: unknown) {
        return Number(value) % 2 === 0;
      }
      defaultMessage() {
        return '$property: $value is odd';
      }
    }
    class Custom {
      @IsInt() @Validate(Even) n!: number;
      @rule('later', async (value) => value === 'yes') word!: string;
      @rule('isString', (value) => value === 'exactly this') fixed!: string;
    }
    const good = { n: 2, word: 'yes', fixed: 'exactly this' };
    expect(await issuesOf(Custom, good)).toEqual([]);
    expect(await issuesOf(Custom, { ...good, n: 777777 })).toEqual(['n: n: the value is odd']);
    expect(await issuesOf(Custom, { ...good, word: 'no' })).toEqual(['word: is not valid']);
    expect(await issuesOf(Custom, { ...good, fixed: 'another' })).toHaveLength(1);
    expect(await issuesOf(Custom, { ...good, word: 5 })).toEqual(['word: must be string']);
  });

  it('runs @ArrayUnique by key', async () => {
    class Keyed {
      @ArrayUnique((item: Item) => item.sku) @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
    }
    const one = { sku: 'a', count: 1 };
    expect(await issuesOf(Keyed, { items: [one, { ...one, sku: 'b' }] })).toEqual([]);
    expect(await issuesOf(Keyed, { items: [one, { ...one, count: 2 }] })).toHaveLength(1);
  });

  it("prefers the author's message to the schema's, and never repeats a value", async () => {
    class Worded {
      @MinLength(3, { message: '$property "$value" needs $constraint1 letters' }) name!: string;
      @IsString({ message: ({ value }) => `not ${String(value)}` }) other!: string;
    }
    expect(await issuesOf(Worded, { name: 'ab', other: 'x' })).toEqual(['name: name "the value" needs 3 letters']);
    expect(await issuesOf(Worded, { name: 'abc', other: 123456789 })).toEqual(['other: not the value']);
    expect(await issuesOf(Worded, { other: 'x' })).toEqual(['name: name "the value" needs 3 letters']);
  });

  it('is not reached by keys that name the prototype', async () => {
    @OpenObject()
    class Open {
      @IsString() a!: string;
      admin = false;
      greet() {
        return 'hello';
      }
    }
    const value: unknown = JSON.parse(
      '{"a":"x","__proto__":{"p":1},"constructor":1,"prototype":2,"admin":true,"greet":3}',
    );
    const instance = await accepted(Open, value);
    expect(Object.getPrototypeOf(instance)).toBe(Open.prototype);
    expect(instance.admin).toBe(false);
    expect(instance.greet()).toBe('hello');
    expect(instance.constructor).toBe(Open);
    expect(({} as { p?: number }).p).toBeUndefined();
    class Closed {
      @IsString() a!: string;
    }
    expect(await issuesOf(Closed, JSON.parse('{"a":"x","__proto__":{"p":1}}'))).toHaveLength(1);
    expect(await issuesOf(Closed, { a: 'x', constructor: 1 })).toHaveLength(1);
  });

  it('does not take inherited members for present ones', async () => {
    class Odd {
      @IsString() toString!: () => string;
    }
    expect(await issuesOf(Odd, {})).toHaveLength(1);
  });
});

describe('outputs of a DTO class', () => {
  class Result {
    @IsString() name!: string;
    @IsOptional() @IsDate() @Type(() => Date) at?: Date;
  }

  it('sends plain JSON, from plain objects and from instances', async () => {
    const schema = await resolver.resolve(Result, 'output');
    const result = Object.assign(new Result(), { name: 'x', at: new Date(0) });
    const verdict = await schema.validate(result);
    expect(verdict).toEqual({ ok: true, value: { name: 'x', at: '1970-01-01T00:00:00.000Z' } });
    expect((verdict as { value: object }).value).not.toBeInstanceOf(Result);
    expect(await schema.validate({ name: 'x' })).toEqual({ ok: true, value: { name: 'x' } });
    expect(await schema.validate({ name: 'x', secret: 1 })).toMatchObject({ ok: false });
    expect(await schema.validate(undefined)).toMatchObject({ ok: false });
  });
});

describe('classes that are refused at boot', () => {
  class NoRules {
    name!: string;
  }
  class DescribedOnly {
    @IsString() a!: string;
    @Describe('nothing checks it') b!: string;
  }
  class TypeOnly {
    @IsString() a!: string;
    @Type(() => Item) b!: Item;
  }
  class HeaderOnly {
    @IsString() a!: string;
    @McpHeader('B') b!: string;
  }
  class HeaderOfTwoWords {
    @McpHeader('two words') @IsString() b!: string;
  }
  class HeaderOnNumber {
    @McpHeader('B') @IsNumber() b!: number;
  }
  class HeaderOnArray {
    @McpHeader('B') @IsString({ each: true }) b!: string[];
  }
  class TypeWithoutNested {
    @IsObject() @Type(() => Item) b!: Item;
  }
  class NestedWithoutType {
    @ValidateNested({ each: true }) b!: Item[];
  }
  class Nested {
    @ValidateNested() b!: NoRules;
  }
  class Conditional {
    @ValidateIf(() => true) @IsString() b!: string;
  }
  class Grouped {
    @IsString({ groups: ['admin'] }) b!: string;
  }
  class Contradiction {
    @IsString() @IsInt() b!: number;
  }
  class EmptyRange {
    @Min(5) @Max(1) b!: number;
  }
  class StringOnArray {
    @IsString() b!: string[];
  }
  class ForeignEnum {
    @IsInt() @IsIn(['a']) b!: number;
  }
  class ObjectConstant {
    @IsIn([{ a: 1 }]) b!: object;
  }
  class Sticky {
    @Matches(/a/y) b!: string;
  }
  class Transformed {
    @Transform(({ value }: { value: string }) => value.trim()) @IsString() b!: string;
  }
  class Renamed {
    @Expose({ name: 'c' }) @IsString() b!: string;
  }
  class Hidden {
    @Exclude() @IsString() b!: string;
  }
  class Mapped {
    @IsObject() b!: Map<string, string>;
  }
  class Needy {
    @IsString() b!: string;
    constructor(source: { b: string }) {
      this.b = source.b;
    }
  }
  class WrongPrimitive {
    @Type(() => String) @IsInt() b!: number;
  }

  it.each<[new (...args: never[]) => object, RegExp]>([
    [NoRules, /NoRules has no member with a validation rule.*leave the parameter out/],
    [DescribedOnly, /"b" of DescribedOnly has a decorator but no validation rule.*Add/],
    [TypeOnly, /"b" of TypeOnly has a decorator but no validation rule/],
    [HeaderOnly, /"b" of HeaderOnly has a decorator but no validation rule/],
    [HeaderOfTwoWords, /"b" of HeaderOfTwoWords carries `@McpHeader\("two words"\)`, which is not a header name\. Use/],
    [
      HeaderOnNumber,
      /"b" of HeaderOnNumber carries `@McpHeader\("B"\)`, which needs .* not "number"\. Let it be an integer/,
    ],
    [
      HeaderOnArray,
      /"b" of HeaderOnArray carries `@McpHeader\("B"\)`, which needs .* not "array"\. Mark a plain string/,
    ],
    [TypeWithoutNested, /"b" of TypeWithoutNested carries `@Type\(\(\) => Item\)` but not `@ValidateNested/],
    [NestedWithoutType, /"b" of NestedWithoutType carries `@ValidateNested\(\)`.*Add `@Type/],
    [Nested, /in the member "b" of Nested, the class NoRules has no member/],
    [Conditional, /"b" of Conditional carries `@ValidateIf/],
    [Grouped, /"b" of Grouped has the rule @IsString\(\) in a validation group/],
    [Contradiction, /"b" of Contradiction has rules that contradict each other/],
    [EmptyRange, /"b" of EmptyRange has rules that contradict each other \(minimum 5 and maximum 1\)/],
    [StringOnArray, /"b" of StringOnArray has rules that contradict.*each: true/],
    [ForeignEnum, /"b" of ForeignEnum has rules that contradict/],
    [ObjectConstant, /"b" of ObjectConstant has the rule @IsIn\(\), which cannot be advertised/],
    [Sticky, /"b" of Sticky has the rule @Matches\(\), which cannot be advertised/],
    [Transformed, /"b" of Transformed carries `@Transform/],
    [Renamed, /"b" of Renamed carries `@Expose/],
    [Hidden, /"b" of Hidden carries `@Exclude/],
    [Mapped, /"b" of Mapped is a Map/],
    [Needy, /class Needy cannot be created without arguments/],
    [WrongPrimitive, /"b" of WrongPrimitive has rules that contradict/],
  ])('%p', async (type, reason) => {
    await expect(input(type)).rejects.toThrow(reason);
    await expect(input(type)).rejects.toMatchObject({ code: 'MCP_UNSUPPORTED_SCHEMA' });
  });

  it('accepts decorators of class-transformer that change nothing', async () => {
    class Harmless {
      @Expose() @Type(() => Number) @IsInt() a!: number;
      @IsBoolean() @Contains('x', { each: true }) b!: boolean;
      @Type(() => String) @IsString({ each: true }) c!: string[];
    }
    await expect(input(Harmless)).rejects.toThrow(/"b" of Harmless/);
    class Plain {
      @Expose() @Type(() => Number) @IsInt() a!: number;
      @Type(() => String) @IsString({ each: true }) c!: string[];
    }
    expect(await issuesOf(Plain, { a: 1, c: ['x'] })).toEqual([]);
    expect(await issuesOf(Plain, { a: '1', c: ['x'] })).toEqual(['a: must be integer']);
  });
});
