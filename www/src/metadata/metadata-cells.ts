import type { KeyInfo, MetadataEntry } from "gguf-wasm/explain";
import { html, nothing } from "lit";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { arrayPreview, excerpt, isArray, prefixOf, valueText } from "./metadata-rows.ts";
import { escapeText } from "../ui/text.ts";
import { renderText, renderTextOrLink } from "../ui/render-text.ts";

/** The key of an entry, and below it the title of the key if it is known. The prefix is paler than the rest. */
export function keyCell(key: string, info: KeyInfo | undefined, highlight: string) {
  const first = prefixOf(key);
  const prefix = first === "" ? "" : `${first}.`;
  return html`<span role="rowheader" class="key-cell"
    ><span class="key" title=${escapeText(key)}
      >${prefix === "" ? nothing : html`<span class="prefix">${renderText(prefix, { highlight })}</span>`}${renderText(key.slice(prefix.length), { highlight, limit: 200 })}</span
    >${info === undefined ? nothing : html`<span class="title" title=${info.description}><span class="sr">, </span>${renderText(info.title, { highlight })}</span>`}</span
  >`;
}

/**
 * The beginning of a value, and its name if it has one. `highlight` is a word in lower case. `matches` is the number of matching array
 * elements.
 */
export function valueCell(
  entry: MetadataEntry,
  name: string | undefined,
  highlight: string,
  matches: number | undefined,
  narrow: boolean,
) {
  const { value } = entry;
  const named =
    name === undefined
      ? nothing
      : html`<span class="value-name"> · ${renderText(name, { limit: 120, highlight })}</span>`;
  if (typeof value === "string") {
    if (value === "") return html`<span class="dim">empty string</span>`;
    const { text, start } = excerpt(value, highlight);
    return html`<span class="value-string"
        >${start > 0 ? "…" : nothing}${value.length > 300 ? renderText(text, { limit: 300, highlight }) : renderTextOrLink(text, { highlight })}</span
      >${named}`;
  }
  if (isArray(value)) {
    const preview = arrayPreview(value, narrow ? 80 : 200);
    return html`${matches === undefined ? nothing : html`<span class="match-count">${formatCount(matches, "match", "matches")} inside</span>`}<span
        class=${value.elementType === "STRING" ? "value-string" : "value-number"}
        >${renderText(preview.items.join(", "), { highlight })}</span
      >${preview.rest > 0 ? html`<span class="dim">, … ${formatInteger(preview.rest)} more</span>` : value.length === 0 ? html`<span class="dim">empty</span>` : nothing}`;
  }
  const kind = typeof value === "boolean" ? "value-boolean" : "value-number";
  return html`<span class=${kind}>${valueText(value, entry.type)}</span>${named}`;
}
