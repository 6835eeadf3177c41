import 'reflect-metadata';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type as ark } from 'arktype';
import { Type } from 'class-transformer';
import * as cv from 'class-validator';
import * as v from 'valibot';
import { z } from 'zod';
import type { ObjectShape, Shape } from './shape.js';

type Json = Record<string, unknown>;

/** A closed JSON Schema, as an author would write it. */
export function toJsonSchema(shape: Shape): Json {
  switch (shape.kind) {
    case 'string':
      return {
        type: 'string',
        minLength: shape.min,
        maxLength: shape.max,
        ...(shape.pattern && { pattern: shape.pattern }),
      };
    case 'integer':
    case 'number':
      return {
        type: shape.kind,
        minimum: shape.min,
        maximum: shape.max,
        ...(shape.step && { multipleOf: shape.step }),
      };
    case 'boolean':
      return { type: 'boolean' };
    case 'enum':
      return { enum: [...shape.values] };
    case 'array':
      return {
        type: 'array',
        items: toJsonSchema(shape.item),
        minItems: shape.min,
        maxItems: shape.max,
        uniqueItems: true,
      };
    default: {
      const members = Object.entries(shape.members);
      return {
        type: 'object',
        properties: Object.fromEntries(members.map(([name, member]) => [name, toJsonSchema(member.shape)])),
        required: members.filter(([, { optional }]) => !optional).map(([name]) => name),
        additionalProperties: false,
      };
    }
  }
}

export function toZod(shape: Shape): z.ZodType {
  switch (shape.kind) {
    case 'string': {
      const text = z.string().min(shape.min).max(shape.max);
      return shape.pattern === undefined ? text : text.regex(new RegExp(shape.pattern));
    }
    case 'integer':
    case 'number': {
      const base = shape.kind === 'integer' ? z.int() : z.number();
      const bounded = base.min(shape.min).max(shape.max);
      return shape.step === undefined ? bounded : bounded.multipleOf(shape.step);
    }
    case 'boolean':
      return z.boolean();
    case 'enum':
      return z.enum([...shape.values]);
    case 'array':
      return z.array(toZod(shape.item)).min(shape.min).max(shape.max);
    default:
      return z.strictObject(
        Object.fromEntries(
          Object.entries(shape.members).map(([name, { shape, optional }]) => [
            name,
            optional ? toZod(shape).optional() : toZod(shape),
          ]),
        ),
      );
  }
}

export function toValibot(shape: ObjectShape) {
  return toStandardJsonSchema(valibotOf(shape));
}

function valibotOf(shape: Shape): v.GenericSchema {
  switch (shape.kind) {
    case 'string': {
      const text = v.pipe(v.string(), v.minLength(shape.min), v.maxLength(shape.max));
      return shape.pattern === undefined ? text : v.pipe(text, v.regex(new RegExp(shape.pattern)));
    }
    case 'integer':
      return v.pipe(v.number(), v.integer(), v.minValue(shape.min), v.maxValue(shape.max));
    case 'number':
      return v.pipe(v.number(), v.minValue(shape.min), v.maxValue(shape.max));
    case 'boolean':
      return v.boolean();
    case 'enum':
      return v.picklist([...shape.values]);
    case 'array':
      return v.pipe(v.array(valibotOf(shape.item)), v.minLength(shape.min), v.maxLength(shape.max));
    default:
      return v.strictObject(
        Object.fromEntries(
          Object.entries(shape.members).map(([name, { shape, optional }]) => [
            name,
            optional ? v.optional(valibotOf(shape)) : valibotOf(shape),
          ]),
        ),
      );
  }
}

export function toArkType(shape: ObjectShape): unknown {
  return ark.raw(arkOf(shape));
}

function arkOf(shape: Shape): unknown {
  switch (shape.kind) {
    case 'string':
      return `${shape.min} <= string <= ${shape.max}`;
    case 'integer':
      return `${shape.min} <= number.integer <= ${shape.max}`;
    case 'number':
      return `${shape.min} <= number <= ${shape.max}`;
    case 'boolean':
      return 'boolean';
    case 'enum':
      return shape.values.map((value) => `'${value}'`).join(' | ');
    case 'array':
      return ark.raw(arkOf(shape.item)).array().atLeastLength(shape.min).atMostLength(shape.max);
    default:
      return {
        '+': 'reject',
        ...Object.fromEntries(
          Object.entries(shape.members).map(([name, { shape, optional }]) => [
            optional ? `${name}?` : name,
            arkOf(shape),
          ]),
        ),
      };
  }
}

type Decorate = (target: object, member: string) => void;

/** A DTO class that is decorated by code. */
export function toClass(shape: ObjectShape): new () => object {
  const Dto = class {};
  for (const [name, { shape: member, optional }] of Object.entries(shape.members)) {
    const decorators = decoratorsOf(member, false);
    if (optional) decorators.push(cv.IsOptional());
    // A nested member without this is optional for class-validator.
    else decorators.push(cv.IsDefined());
    for (const decorate of decorators) decorate(Dto.prototype, name);
  }
  return Dto;
}

function decoratorsOf(shape: Shape, each: boolean): Decorate[] {
  const options = { each };
  switch (shape.kind) {
    case 'string':
      return [
        cv.IsString(options),
        cv.Length(shape.min, shape.max, options),
        ...(shape.pattern === undefined ? [] : [cv.Matches(new RegExp(shape.pattern), options)]),
      ];
    case 'integer':
    case 'number':
      return [
        shape.kind === 'integer' ? cv.IsInt(options) : cv.IsNumber({}, options),
        cv.Min(shape.min, options),
        cv.Max(shape.max, options),
        ...(shape.step === undefined ? [] : [cv.IsDivisibleBy(shape.step, options)]),
      ];
    case 'boolean':
      return [cv.IsBoolean(options)];
    case 'enum':
      return [cv.IsEnum(Object.fromEntries(shape.values.map((value) => [`key_${value}`, value])), options)];
    case 'array':
      return [
        cv.IsArray(),
        cv.ArrayMinSize(shape.min),
        cv.ArrayMaxSize(shape.max),
        cv.ArrayUnique(),
        ...decoratorsOf(shape.item, true),
      ];
    default: {
      const nested = toClass(shape);
      return [cv.ValidateNested(options), Type(() => nested)];
    }
  }
}
