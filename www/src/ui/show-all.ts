import { html, nothing } from "lit";
import { formatCount } from "./numbers.ts";

/** The button below a table that lists only its first rows; nothing if it lists all. `noun` is what a row is: `tensor`. */
export function renderShowAll(listed: number, all: number, noun: string, showAll: () => void) {
  if (listed >= all) return nothing;
  return html`<div class="buttons">
    <button type="button" class="small" @click=${showAll}>Show all ${formatCount(all, noun)}</button>
  </div>`;
}
