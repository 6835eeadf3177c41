/** What a field of a form can hold. */
export type FormValue = string | number | boolean | string[];

/**
 * What the user did with a form. Declining and dismissing are answers, not errors.
 *
 * @publicApi
 */
export type ElicitAnswer<T = Record<string, FormValue>> =
  { readonly action: 'accept'; readonly content: T } | { readonly action: 'decline' } | { readonly action: 'cancel' };

/**
 * What the user did when asked to open a page. `accept` is consent to open it and says nothing of what happened there.
 *
 * @publicApi
 */
export interface UrlAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
}

/**
 * A page that the user is asked to open.
 *
 * @publicApi
 */
export interface ElicitUrlParams {
  /** Tells the user why. */
  readonly message: string;
  /** An absolute `http:` or `https:` URL. Never put credentials or personal data into it. */
  readonly url: string;
}
