/** Shows the text that a token stands for. */

import { html, type TemplateResult } from "lit";
import { renderText } from "../ui/render-text.ts";
import { hexOf, textOf } from "./spelling.ts";

/** The most bytes of a token that are shown in a row. */
const MOST_BYTES = 400;

/** The text of the bytes with visible spaces; the bytes themselves if they are no whole characters. */
export function renderTokenText(bytes: Uint8Array<ArrayBuffer>): TemplateResult {
  const shown = bytes.subarray(0, MOST_BYTES);
  const text = textOf(shown);
  const rest = shown.length < bytes.length ? "…" : "";
  if (text === undefined)
    return html`<span class="hex" title="These bytes are a part of a character">${hexOf(shown)}${rest}</span>`;
  if (text === "") return html`<span class="none">empty</span>`;
  return html`${text.split(" ").map((part, index) => html`${index > 0 ? html`<span class="space" title="space">·</span>` : ""}${part === "" ? "" : renderText(part)}`)}${rest}`;
}
