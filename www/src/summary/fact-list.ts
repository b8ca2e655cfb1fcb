/** A fact in a list of terms, with the mark of a change. */

import { css, html, nothing } from "lit";
import { renderText } from "../ui/render-text.ts";
import type { MarkedFact } from "./marked-facts.ts";

/** The most characters of a figure that fit beside another one. */
const LONGEST_FIGURE = 14;

export function renderFact({ label, value, exact, isDeclared, isMissing, mark, before }: MarkedFact) {
  const state = isMissing ? "missing" : nothing;
  return html`<div class="${value.length > LONGEST_FIGURE ? "words" : ""} ${isDeclared ? "declared" : ""}">
    <dt>${label}</dt>
    <dd class=${state} title=${exact ?? nothing}>${renderText(value, { limit: 160 })}${renderMark(mark, before)}</dd>
  </div>`;
}

function renderMark(mark: MarkedFact["mark"], before: string | undefined) {
  if (mark === undefined) return nothing;
  return html` <span class="was ${mark}"
    >${before === undefined ? "new" : html`was ${renderText(before, { limit: 160 })}`}</span
  >`;
}

/** The styles of lists of facts, and of values before editing. */
export const factStyles = css`
  .facts {
    display: grid;
    gap: 5px;
  }
  .facts div {
    display: flex;
    justify-content: space-between;
    gap: 16px;
    font-size: var(--gguf-text-control);
  }
  .facts dt {
    flex: none;
    color: var(--gguf-ink-2);
  }
  .facts dd {
    text-align: end;
    overflow-wrap: anywhere;
    min-width: 0;
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  /* Most headers are read before a person could read this. */
  .missing {
    color: var(--gguf-ink-3);
    animation: appear 200ms 300ms both;
  }
  .was {
    display: block;
    color: var(--gguf-warning);
    font-size: var(--gguf-text-small);
    font-weight: 400;
    letter-spacing: 0;
    overflow-wrap: anywhere;
  }
  .was.added {
    color: var(--gguf-accent);
  }
  .was.removed {
    color: var(--gguf-danger);
  }
`;
