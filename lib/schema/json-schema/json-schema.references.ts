import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import { isFields } from '../../model/fields.js';
import type { JsonSchema } from '../../model/json-schema.js';
import { listSubschemas, pointerTo } from './json-schema.walker.js';

/** Base of documents without `$id`; no URI is ever fetched. */
const LOCAL_BASE = 'schema:/';

interface Resource {
  readonly base: string;
  /** Pointer to the root of the resource inside the document. */
  readonly pointer: string;
}

/** Refuses every `$ref` that does not lead to a schema of the same document. */
export function checkReferences(document: JsonSchema): void {
  const targets = new Set<string>();
  const references: { readonly ref: string; readonly base: string }[] = [];

  const visit = (schema: unknown, pointer: string, parent: Resource): void => {
    targets.add(`${parent.base}#${pointer.slice(parent.pointer.length)}`).add(`${LOCAL_BASE}#${pointer}`);
    if (!isFields(schema)) return;
    const resource = enterResource(schema, pointer, parent, targets);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      if (typeof schema[keyword] === 'string') targets.add(`${resource.base}#${schema[keyword]}`);
    }
    for (const keyword of ['$ref', '$dynamicRef']) {
      const ref = schema[keyword];
      if (typeof ref === 'string') references.push({ ref, base: resource.base });
    }
    for (const child of listSubschemas(schema)) visit(child.schema, pointerTo(pointer, child), resource);
  };
  visit(document, '', { base: LOCAL_BASE, pointer: '' });

  for (const { ref, base } of references) {
    if (targets.has(resolve(ref, base))) continue;
    throw new UnsupportedSchemaError(
      `\`$ref\` ${JSON.stringify(ref)} does not lead to a schema of the same document, and nothing is ever fetched. Copy the schema into \`$defs\` and refer to "#/$defs/…".`,
    );
  }
}

function enterResource(
  schema: Record<string, unknown>,
  pointer: string,
  parent: Resource,
  targets: Set<string>,
): Resource {
  const id = schema['$id'];
  if (typeof id !== 'string') return parent;
  const base = resolve(id, parent.base).replace(/#.*$/, '');
  if (/^https?:\/\/json-schema\.org\//.test(base)) {
    throw new UnsupportedSchemaError(
      `\`$id\` ${JSON.stringify(id)} takes the name of a meta-schema. Choose another one.`,
    );
  }
  if (targets.has(`${base}#`)) {
    throw new UnsupportedSchemaError(`\`$id\` ${JSON.stringify(id)} occurs twice. Give each schema its own.`);
  }
  targets.add(`${base}#`);
  return { base, pointer };
}

/** Absolute form with a decoded fragment; it always contains `#`. */
function resolve(reference: string, base: string): string {
  try {
    const url = new URL(reference, base);
    const fragment = decodeURIComponent(url.hash.slice(1));
    url.hash = '';
    return `${url.href}#${fragment}`;
  } catch (cause) {
    throw new UnsupportedSchemaError(`${JSON.stringify(reference)} is not a URI reference. Correct it.`, { cause });
  }
}
