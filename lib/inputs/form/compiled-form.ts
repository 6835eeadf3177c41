import { isFields } from '../../model/fields.js';
import type { JsonSchema } from '../../model/json-schema.js';
import type { ComponentSchema, SchemaIssue, SchemaVerdict } from '../../schema/component-schema.js';
import { writePath } from '../../schema/schema-issues.js';

/** Whether the author's schema takes the content of a form; if not, which of its properties are at fault. */
export type FormVerdict =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fields: readonly string[] };

/** The form that a client shows, and the schema that decides about what comes back. */
export class CompiledForm {
  private readonly names: readonly string[];
  private readonly required: readonly string[];

  constructor(
    readonly json: JsonSchema,
    private readonly enforced: Pick<ComponentSchema, 'validate'>,
  ) {
    this.names = isFields(json['properties']) ? Object.keys(json['properties']) : [];
    this.required = Array.isArray(json['required']) ? (json['required'] as string[]) : [];
  }

  judge(content: Readonly<Record<string, unknown>>): FormVerdict | Promise<FormVerdict> {
    const conclude = (verdict: SchemaVerdict): FormVerdict =>
      verdict.ok ? verdict : { ok: false, fields: this.faultyFields(content, verdict.issues) };
    const verdict = this.enforced.validate(content);
    return verdict instanceof Promise ? verdict.then(conclude) : conclude(verdict);
  }

  /** Names of the author's own properties alone: what else an issue says may repeat what was submitted. */
  private faultyFields(content: Readonly<Record<string, unknown>>, issues: readonly SchemaIssue[]): string[] {
    return this.names.filter((name) => {
      if (this.required.includes(name) && !Object.hasOwn(content, name)) return true;
      const path = writePath([name]);
      return issues.some((issue) => issue.path === path || /^[.[]/.test(cutStart(issue.path, path)));
    });
  }
}

function cutStart(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : '';
}
