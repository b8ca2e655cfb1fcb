import { html, nothing, type TemplateResult } from "lit";
import { clip, linkTarget, segments } from "./text.ts";

/** Text out of a file as nodes: isolated, never markup, its invisible characters written out. */
export function fileText(
  text: string,
  options: { inline?: boolean; limit?: number; mark?: string; find?: FindMatch } = {},
): TemplateResult {
  const cut = options.limit === undefined ? text : clip(text, options.limit);
  const parts = segments(cut, options.inline ?? true).map((segment) => {
    if (segment.escape === undefined)
      return options.mark ? marked(segment.text, options.mark, options.find) : segment.text;
    const kind = segment.text === "↵" || segment.text === "⇥" ? "whitespace" : "escape";
    return html`<span class=${kind} title=${segment.escape}>${segment.text}</span>`;
  });
  return html`<bdi>${parts}${cut.length < text.length ? "…" : nothing}</bdi>`;
}

/** The same, as a link where all of it is an http or https address. */
export function fileTextOrLink(text: string, options: { mark?: string } = {}): TemplateResult {
  const target = linkTarget(text);
  return target === undefined
    ? fileText(text, options)
    : html`<a href=${target} target="_blank" rel="noopener noreferrer">${fileText(text, options)}</a>`;
}

/** The position of the next match of a word in a text at or after a position, or -1. Both are in lower case. */
export type FindMatch = (text: string, word: string, from: number) => number;

const findAny: FindMatch = (text, word, from) => text.indexOf(word, from);

/** `text` with every match of `wanted` (lower case) marked. */
function marked(text: string, wanted: string, find: FindMatch = findAny): unknown {
  const lower = text.toLowerCase();
  // Where lower case has another length, positions do not carry over; then nothing is marked.
  if (lower.length !== text.length) return text;
  const parts: unknown[] = [];
  let from = 0;
  for (let at = find(lower, wanted, 0); at >= 0 && parts.length < 64; at = find(lower, wanted, from)) {
    parts.push(text.slice(from, at), html`<mark>${text.slice(at, at + wanted.length)}</mark>`);
    from = at + wanted.length;
  }
  return parts.length === 0 ? text : [...parts, text.slice(from)];
}
