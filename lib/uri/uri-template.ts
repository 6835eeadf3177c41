import { expandTemplate } from './uri-template.expander.js';
import { matchTemplate } from './uri-template.matcher.js';
import type { TemplateMatch, TemplateVariables } from './uri-template.matcher.js';
import { findCommonUri } from './uri-template.overlap.js';
import { parseTemplate } from './uri-template.parser.js';
import type { ParsedTemplate } from './uri-template.parser.js';

/**
 * A subset of RFC 6570 that matches in linear time: `{v}` once a segment, with literal text around it; one of `{+v}`,
 * `{/v}`, `{/v*}`; a trailing `{?a,b}{&c}`, whose parameters are optional and may have any order.
 */
export class UriTemplate {
  readonly variables: readonly string[];

  private constructor(
    readonly source: string,
    private readonly parsed: ParsedTemplate,
  ) {
    this.variables = parsed.variables;
  }

  /** @throws InvalidUriTemplateError with the cure, for shapes outside the subset. */
  static parse(template: string): UriTemplate {
    return new UriTemplate(template, parseTemplate(template));
  }

  /** Values are percent-decoded once. Values of `{+v}`, `{/v*}` and the query may have dot segments: see `safeJoin`. */
  match(uri: string): TemplateMatch {
    return matchTemplate(this.parsed, uri);
  }

  matchesExact(uri: string): boolean {
    return this.match(uri).kind === 'match';
  }

  /** @throws TypeError when a variable of authority or path has no value. */
  expand(values: Partial<TemplateVariables>): string {
    return expandTemplate(this.parsed, values);
  }

  /** True only if some URI matches both. A URI may be missed if a variable occurs twice in authority and path. */
  overlaps(other: UriTemplate): boolean {
    return this.findCommonUri(other) !== undefined;
  }

  /** An example for messages: a URI that both templates match. */
  findCommonUri(other: UriTemplate): string | undefined {
    return findCommonUri(this.parsed, other.parsed);
  }
}
