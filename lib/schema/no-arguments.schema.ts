import { isFields } from '../model/fields.js';
import type { ComponentSchema } from './component-schema.js';
import { limitIssues, MAX_ISSUES, toIssue } from './schema-issues.js';

/** What a component without parameters advertises. */
export const NO_ARGUMENTS = Object.freeze({ type: 'object', additionalProperties: false });

const BREACH = { keyword: 'additionalProperties', instancePath: '', schemaPath: '' };

/** Its check, written by hand, so that an application of such components alone needs no schema library. */
export const noArguments: ComponentSchema = Object.freeze({
  json: NO_ARGUMENTS,
  validate: (value: unknown) => {
    if (!isFields(value)) {
      return { ok: false, issues: [{ path: '', message: 'must be object' }] };
    }
    const strange = Object.keys(value)
      .slice(0, MAX_ISSUES)
      .map((key) => toIssue({ ...BREACH, params: { additionalProperty: key } }, value));
    return strange.length === 0 ? { ok: true, value } : { ok: false, issues: limitIssues(strange) };
  },
} satisfies ComponentSchema);
