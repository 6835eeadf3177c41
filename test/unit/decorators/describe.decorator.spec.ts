import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { Describe, McpHeader, OpenObject } from '../../../lib/decorators/describe.decorator.js';
import { DESCRIBE_METADATA, OPEN_OBJECT_METADATA } from '../../../lib/mcp.constants.js';
import { isOpenObject, readMemberNotes } from '../../../lib/schema/class/member-notes.js';

class Base {
  @Describe('a of base') @McpHeader('A') a!: string;
  @Describe('b') b!: string;
}

class Derived extends Base {
  @Describe('a of derived') declare a: string;
}

@OpenObject()
class Open {}
class OpenToo extends Open {}

it('records notes on the class, under a string key that copies of the package share', () => {
  expect(Reflect.getOwnMetadata(DESCRIBE_METADATA, Base)).toEqual({
    a: { description: 'a of base', header: 'A' },
    b: { description: 'b' },
  });
  expect(Reflect.getMetadata(OPEN_OBJECT_METADATA, Open)).toBe(true);
});

it('adds notes to inherited notes without changing the parent class', () => {
  expect(Object.fromEntries(readMemberNotes(Derived))).toEqual({
    a: { description: 'a of derived', header: 'A' },
    b: { description: 'b' },
  });
  expect(readMemberNotes(Base).get('a')?.description).toBe('a of base');
});

it('opens a class and its subclasses', () => {
  expect([Open, OpenToo, Base].map(isOpenObject)).toEqual([true, true, false]);
});
