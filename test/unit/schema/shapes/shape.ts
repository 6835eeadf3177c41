import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** A schema that every kind of source can write; what a property test draws. */
export type Shape =
  | { readonly kind: 'string'; readonly min: number; readonly max: number; readonly pattern?: string }
  | { readonly kind: 'integer' | 'number'; readonly min: number; readonly max: number; readonly step?: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'array'; readonly item: Shape; readonly min: number; readonly max: number }
  | ObjectShape;

export interface ObjectShape {
  readonly kind: 'object';
  readonly members: Readonly<Record<string, Member>>;
}

export interface Member {
  readonly shape: Shape;
  readonly optional: boolean;
}

const PATTERNS = ['^[a-c]+$', '^x', '[0-9]'];

const leaf: Arbitrary<Shape> = fc.oneof(
  fc.record({
    kind: fc.constant('string' as const),
    min: fc.integer({ min: 0, max: 2 }),
    max: fc.integer({ min: 2, max: 4 }),
    pattern: fc.option(fc.constantFrom(...PATTERNS), { nil: undefined, freq: 3 }),
  }),
  fc.record({
    kind: fc.constantFrom('integer' as const, 'number' as const),
    min: fc.integer({ min: -3, max: 1 }),
    max: fc.integer({ min: 2, max: 9 }),
    step: fc.option(fc.constantFrom(1, 2, 3), { nil: undefined, freq: 3 }),
  }),
  fc.constant<Shape>({ kind: 'boolean' }),
  fc
    .uniqueArray(fc.constantFrom('a', 'b', 'xyz', '1', 'null'), { minLength: 1, maxLength: 3 })
    .map((values): Shape => ({ kind: 'enum', values })),
);

function shapeOf(depth: number): Arbitrary<Shape> {
  if (depth === 0) return leaf;
  const array = fc
    .record({ item: shapeOf(depth - 1), min: fc.integer({ min: 0, max: 1 }), max: fc.integer({ min: 1, max: 3 }) })
    .filter(({ item }) => item.kind !== 'array')
    .map((rest): Shape => ({ kind: 'array', ...rest }));
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: array },
    { weight: 2, arbitrary: objectOf(depth) },
  );
}

function objectOf(depth: number): Arbitrary<ObjectShape> {
  const member = fc.record({ shape: shapeOf(depth - 1), optional: fc.boolean() });
  const names = fc.constantFrom('a', 'bee', 'x_y', '$z', 'odd-name');
  return fc
    .dictionary(names, member, { minKeys: 1, maxKeys: 3, noNullPrototype: true })
    .map((members): ObjectShape => ({ kind: 'object', members }));
}

/** Root shapes: objects, as arguments are. */
export const rootShape = objectOf(3);

/** Values that are right, nearly right, or anything at all. */
export function valueOf(shape: Shape): Arbitrary<unknown> {
  const near = fc.oneof({ weight: 12, arbitrary: rightValue(shape) }, { weight: 1, arbitrary: nearValue });
  return near;
}

const nearValue: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, '', '5', 'true', 0, -0, 1, 1.5, 1e21, true, [], {}, ['a'], '{"a":1}', [[]], { a: 1 }),
  fc.jsonValue({ maxDepth: 1 }),
);

function rightValue(shape: Shape): Arbitrary<unknown> {
  switch (shape.kind) {
    case 'string':
      return fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'x', '1', ' '), maxLength: shape.max + 1 });
    case 'integer':
      return fc.integer({ min: shape.min - 1, max: shape.max + 1 });
    case 'number':
      return fc.oneof(fc.integer({ min: shape.min - 1, max: shape.max + 1 }), fc.constantFrom(0.5, 2.25, 1e-7));
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...shape.values);
    case 'array':
      return fc.array(valueOf(shape.item), { maxLength: shape.max });
    default:
      return objectValue(shape);
  }
}

function objectValue(shape: ObjectShape): Arbitrary<unknown> {
  const members = Object.entries(shape.members);
  const required = members.filter(([, { optional }]) => !optional).map(([name]) => name);
  const values = Object.fromEntries(members.map(([name, member]) => [name, memberValue(member)]));
  const right = fc.record(values, { requiredKeys: required, noNullPrototype: true });
  const partial = fc.record(values, { requiredKeys: [], noNullPrototype: true });
  const wider = fc.tuple(right, fc.constantFrom('extra', 'constructor', '__proto__')).map(([value, name]) => {
    const wide = { ...value };
    Object.defineProperty(wide, name, { value: 1, enumerable: true, configurable: true, writable: true });
    return wide;
  });
  return fc.oneof({ weight: 14, arbitrary: right }, { weight: 1, arbitrary: partial }, { weight: 1, arbitrary: wider });
}

function memberValue({ shape, optional }: Member): Arbitrary<unknown> {
  return optional
    ? fc.oneof({ weight: 6, arbitrary: valueOf(shape) }, { weight: 1, arbitrary: fc.constant(null) })
    : valueOf(shape);
}
