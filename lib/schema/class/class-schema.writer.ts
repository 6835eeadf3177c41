import type { JsonSchema } from '../../model/json-schema.js';
import type { JsonSchemaCompiler } from '../json-schema/json-schema.compiler.js';
import type { ClassPlan, MemberPlan } from './class-plan.js';
import { breaksRules } from './class-rules.runner.js';
import { UNKNOWN_VALUE } from './initial-values.js';

/** The schema of a class. Classes used more than once go to `$defs`; the class itself is `#`. */
export function writeClassSchema(root: ClassPlan, compiler: JsonSchemaCompiler): JsonSchema {
  const draft = new ClassSchemaWriter(root, new Set());
  const schema = draft.write();
  const broken = draft.defaults.filter((declared) => isBroken(declared, schema, compiler)).map(({ member }) => member);
  return broken.length === 0 ? schema : new ClassSchemaWriter(root, new Set(broken)).write();
}

interface ToldDefault {
  readonly member: MemberPlan;
  readonly schema: JsonSchema;
}

class ClassSchemaWriter {
  readonly defaults: ToldDefault[] = [];
  private readonly definitions = new Map<ClassPlan, { readonly name: string; schema: JsonSchema }>();

  constructor(
    private readonly root: ClassPlan,
    /** Members whose initialiser breaks their own rules. */
    private readonly broken: ReadonlySet<MemberPlan>,
  ) {}

  write(): JsonSchema {
    const schema = this.writeObject(this.root);
    const definitions = [...this.definitions.values()];
    return definitions.length === 0
      ? schema
      : { ...schema, $defs: Object.fromEntries(definitions.map(({ name, schema }) => [name, schema])) };
  }

  private writeObject(plan: ClassPlan): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const member of plan.members.values()) {
      properties[member.name] = this.writeMember(member);
      if (this.isRequired(member)) required.push(member.name);
    }
    return {
      type: 'object',
      properties,
      ...(required.length === 0 ? {} : { required }),
      ...(plan.open ? {} : { additionalProperties: false }),
    };
  }

  private writeMember(member: MemberPlan): JsonSchema {
    const schema = member.write(this.referTo(member.nested));
    if (member.initial === undefined || member.initial === UNKNOWN_VALUE || this.broken.has(member)) return schema;
    const described = { ...schema, default: member.initial };
    this.defaults.push({ member, schema: described });
    return described;
  }

  /** `name = ''` beside `@IsNotEmpty()` only satisfies the compiler: absence breaks the rule, so it is required. */
  private isRequired(member: MemberPlan): boolean {
    if (this.broken.has(member)) return !(member.optional && member.initial === null);
    return member.initial === undefined && !member.optional && !member.omittable;
  }

  private referTo(plan: ClassPlan | undefined): JsonSchema {
    if (plan === undefined) return {};
    if (plan === this.root) return { $ref: '#' };
    if (plan.uses < 2) return this.writeObject(plan);
    let definition = this.definitions.get(plan);
    if (definition === undefined) {
      definition = { name: this.chooseName(plan.type.name), schema: {} };
      this.definitions.set(plan, definition);
      definition.schema = this.writeObject(plan);
    }
    return { $ref: `#/$defs/${definition.name}` };
  }

  private chooseName(wanted: string): string {
    const base = wanted.replaceAll(/\W/g, '_');
    const taken = new Set([...this.definitions.values()].map(({ name }) => name));
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base}${count}`;
    return name;
  }
}

function isBroken({ member, schema }: ToldDefault, root: JsonSchema, compiler: JsonSchemaCompiler): boolean {
  const text = JSON.stringify(schema);
  const alone = text.includes('"$ref":"#')
    ? {
        ...(JSON.parse(text.replaceAll('"$ref":"#', '"$ref":"dto:/root#')) as JsonSchema),
        $defs: { root: { ...root, $id: 'dto:/root' } },
      }
    : schema;
  return (
    compiler.compile(alone, { trusted: true })(member.initial).errors.length > 0 || breaksRules(member, member.initial)
  );
}
