import { html, nothing, type TemplateResult } from "lit";
import { truncate, linkTarget, splitText } from "./text.ts";

/**
 * Renders text from a file. The text is isolated from the text around it, is never markup, and has its invisible characters written as
 * escapes.
 */
export function renderText(
  text: string,
  options: { inline?: boolean; limit?: number; highlight?: string; find?: FindMatch } = {},
): TemplateResult {
  const cut = options.limit === undefined ? text : truncate(text, options.limit);
  const parts = splitText(cut, options.inline ?? true).map((segment) => {
    if (segment.escape === undefined)
      return options.highlight ? highlighted(segment.text, options.highlight, options.find) : segment.text;
    const kind = segment.text === "↵" || segment.text === "⇥" ? "whitespace" : "escape";
    return html`<span class=${kind} title=${segment.escape}>${segment.text}</span>`;
  });
  return html`<bdi>${parts}${cut.length < text.length ? "…" : nothing}</bdi>`;
}

/** Renders text from a file, as a link if the whole text is an http or https address. */
export function renderTextOrLink(text: string, options: { highlight?: string } = {}): TemplateResult {
  const target = linkTarget(text);
  return target === undefined
    ? renderText(text, options)
    : html`<a href=${target} target="_blank" rel="noopener noreferrer">${renderText(text, options)}</a>`;
}

/** The position of the next match of a word in a text at or after a position, or -1. Both are in lower case. */
export type FindMatch = (text: string, word: string, from: number) => number;

const findAny: FindMatch = (text, word, from) => text.indexOf(word, from);

/** The text with every match of `wanted` marked. `wanted` is in lower case. */
function highlighted(text: string, wanted: string, find: FindMatch = findAny): unknown {
  const lower = text.toLowerCase();
  // Some letters change their length in lower case. Positions in the lower-case text would then be wrong.
  if (lower.length !== text.length) return text;
  const parts: unknown[] = [];
  let from = 0;
  for (let at = find(lower, wanted, 0); at >= 0 && parts.length < 64; at = find(lower, wanted, from)) {
    parts.push(text.slice(from, at), html`<mark>${text.slice(at, at + wanted.length)}</mark>`);
    from = at + wanted.length;
  }
  return parts.length === 0 ? text : [...parts, text.slice(from)];
}
