import { type CSSResult, unsafeCSS } from "lit";

/** The body text and the root, in units of the text size. */
const [BODY, ROOT] = [14, 16];

/**
 * A width of `units` of the text size, for a container query. Such a query knows no custom properties, but the size of the body text, which the
 * container has.
 */
export function boxWidth(units: number): CSSResult {
  return unsafeCSS(`${units / BODY}em`);
}

/** A width or height of the window in `units` of the text size that is set in the browser, for a media query. */
export function windowSize(units: number): CSSResult {
  return unsafeCSS(`${units / ROOT}em`);
}
