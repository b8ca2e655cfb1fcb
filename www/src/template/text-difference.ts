/** The differing lines of two texts, or why they are not compared. */

import { html } from "lit";
import "../gguf/line-diff.ts";
import { formatInteger } from "../ui/numbers.ts";

/** Texts with more characters are not compared line by line. */
const MOST_COMPARED = 200_000;

export function renderTextDifference(from: string, to: string) {
  return Math.max(from.length, to.length) > MOST_COMPARED
    ? html`<p class="hint">
        The texts are too long to be compared: more than ${formatInteger(MOST_COMPARED)} characters.
      </p>`
    : html`<gguf-line-diff .from=${from} .to=${to}></gguf-line-diff>`;
}
