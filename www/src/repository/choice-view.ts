import { html, nothing } from "lit";
import "../memory/card-fields.ts";
import type { Machine } from "../memory/machine.ts";
import { renderText } from "../ui/render-text.ts";
import type { Choice } from "./choice.ts";

/** The user's GPU memory, and the file that is likely the best for it. `linkTo` makes the link to the file. */
export function renderChoice(choice: Choice | undefined, machine: Machine, linkTo: (url: string) => string) {
  return html`<div class="choice">
    <gguf-card-fields .machine=${machine}></gguf-card-fields>
    <p role="status">${choice === undefined ? nothing : renderReason(choice, linkTo)}</p>
  </div>`;
}

function renderReason({ file, reason }: Choice, linkTo: (url: string) => string) {
  if (file === undefined) return reason;
  const name = file.name.slice(file.name.lastIndexOf("/") + 1);
  return html`<span class="mark">Likely best</span>
    <a href=${linkTo(file.url)}
      >${file.encoding === undefined ? renderText(name, { limit: 100 }) : renderText(file.encoding, { limit: 40 })}</a
    >
    <span>${reason}</span>`;
}
