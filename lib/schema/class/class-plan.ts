import type { JsonSchema } from '../../model/json-schema.js';
import type { DtoClass } from '../schema-source.js';
import type { RuleConstraint, StoredRule } from './class-validator.loader.js';

/** A rule of class-validator and the code that checks it. */
export interface Rule {
  readonly stored: StoredRule;
  readonly constraint: RuleConstraint;
}

/** One member of a DTO class: its advertised schema, and the rules to run on a value that satisfies the schema. */
export interface MemberPlan {
  readonly name: string;
  /** `@IsOptional()`: null and absence skip every rule. */
  readonly optional: boolean;
  /** May be absent without `@IsOptional()`. */
  readonly omittable: boolean;
  readonly array: boolean;
  readonly content: 'plain' | 'date' | 'nested';
  readonly nested?: ClassPlan;
  /** Schema of the member, given the reference to use for its nested class. */
  readonly write: (nested: JsonSchema) => JsonSchema;
  /** Rules that JSON Schema cannot express; they run after the schema check. */
  readonly narrowing: readonly Rule[];
  /** Rules with a message of the author, which is preferred to the message of the schema. */
  readonly worded: readonly Rule[];
  /** Value of the class-field initialiser; `undefined` when there is none. */
  readonly initial: unknown;
}

export interface ClassPlan {
  readonly type: DtoClass;
  readonly open: boolean;
  readonly members: Map<string, MemberPlan>;
  /** How many members of the class graph have this class as their type. */
  uses: number;
}
