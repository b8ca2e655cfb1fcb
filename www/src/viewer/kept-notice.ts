import { html } from "lit";
import type { KeptEdits } from "../gguf/kept-edits.ts";
import { icons } from "../ui/icons.ts";
import { formatCount } from "../ui/numbers.ts";

export interface KeptActions {
  readonly restore: () => Promise<void>;
  readonly discard: () => void;
}

/** Says that edits of the open file were not saved before the page was reloaded, and offers to make them again. */
export function renderKeptNotice({ count }: KeptEdits, { restore, discard }: KeptActions) {
  const changes = formatCount(count, "unsaved change");
  return html`<div class="problem kept" role="status">
    ${icons.pen}
    <p>
      <strong>${changes} to this file ${count === 1 ? "was" : "were"} kept when the page was closed.</strong>
      <button type="button" class="link" @click=${() => void restore()}>Restore ${changes}</button>
      <button type="button" class="link" @click=${discard}>Discard</button>
    </p>
  </div>`;
}
