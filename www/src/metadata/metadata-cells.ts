import type { MetadataEntry } from "gguf-wasm";
import { html, nothing } from "lit";
import { counted, grouped } from "../ui/numbers.ts";
import { arrayPreview, excerpt, isArray, sectionOf, valueText } from "./metadata-rows.ts";
import { visible } from "../ui/text.ts";
import { fileText, fileTextOrLink } from "../ui/file-text.ts";

/** The key of an entry. Its section is paler than the rest. */
export function keyCell(key: string, mark: string) {
  const section = sectionOf(key);
  const prefix = section === "" ? "" : `${section}.`;
  return html`<span role="rowheader" class="key" title=${visible(key)}
    >${prefix === "" ? nothing : html`<span class="prefix">${fileText(prefix, { mark })}</span>`}${fileText(key.slice(prefix.length), { mark, limit: 200 })}</span
  >`;
}

/** The beginning of a value. `inside` is the number of matching elements of an array. */
export function valueCell(entry: MetadataEntry, mark: string, inside: number | undefined, narrow: boolean) {
  const { value } = entry;
  if (typeof value === "string") {
    if (value === "") return html`<span class="dim">empty string</span>`;
    const { text, start } = excerpt(value, mark);
    return html`<span class="value-string"
      >${start > 0 ? "…" : nothing}${value.length > 300 ? fileText(text, { limit: 300, mark }) : fileTextOrLink(text, { mark })}</span
    >`;
  }
  if (isArray(value)) {
    const preview = arrayPreview(value, narrow ? 80 : 200);
    return html`${inside === undefined ? nothing : html`<span class="inside">${counted(inside, "match", "matches")} inside</span>`}<span
        class=${value.elementType === "STRING" ? "value-string" : "value-number"}
        >${fileText(preview.items.join(", "))}</span
      >${preview.rest > 0 ? html`<span class="dim">, … ${grouped(preview.rest)} more</span>` : value.length === 0 ? html`<span class="dim">empty</span>` : nothing}`;
  }
  const kind = typeof value === "boolean" ? "value-boolean" : "value-number";
  return html`<span class=${kind}>${valueText(value, entry.type)}</span>`;
}
