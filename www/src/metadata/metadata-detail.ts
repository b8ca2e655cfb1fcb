import type { KeyInfo, MetadataValue } from "gguf-wasm/explain";
import { html, nothing } from "lit";
import type { EditedFile, ShownEntry } from "../gguf/shown-file.ts";
import "../ui/copy-button.ts";
import { renderText } from "../ui/render-text.ts";
import { formatCount, formatHex } from "../ui/numbers.ts";
import "../ui/text-block.ts";
import { escapeText } from "../ui/text.ts";
import "./array-view.ts";
import { companionsOf } from "./companions.ts";
import { keyMeaning } from "./key-meaning.ts";
import { copyText, isArray, typeLabel, valueText } from "./metadata-rows.ts";

/** The detail below an open row: where the entry is stored, and its whole value or the controls that edit it. */
export function metadataDetail({
  shown,
  info,
  metadata,
  edits,
  narrow,
  query,
}: {
  shown: ShownEntry;
  /** What is known of its key. */
  info: KeyInfo | undefined;
  /** The metadata of the file, in which companions of an array are looked up. */
  metadata: ReadonlyMap<string, MetadataValue>;
  /** Undefined while the file is not being edited. */
  edits: EditedFile | undefined;
  narrow: boolean;
  /** The text to find in an array. */
  query: string;
}) {
  const { entry } = shown;
  const { value } = entry;
  const architecture = metadata.get("general.architecture");
  const meaning = keyMeaning(entry, info, typeof architecture === "string" ? architecture : undefined);
  return html`<div class="detail-body">
    <div class="where">
      ${!edits && (narrow || entry.key.length > 36) ? html`<span class="mono full">${renderText(entry.key)}</span>` : nothing}
      <span>${typeLabel(entry)}</span>
      <span title="${formatCount(entry.offset, "byte")} from the start of the file"
        >at offset <span class="mono">${formatHex(entry.offset)}</span></span
      >
      <span>${formatCount(entry.byteLength, "byte")} stored</span>
      <gguf-copy-button
        caption="Copy value"
        label="Copy value of ${escapeText(entry.key, 60)}"
        .text=${() => copyText(value, entry.type)}
      ></gguf-copy-button>
    </div>
    ${edits ? edits.renderEntry(shown, query) : nothing} ${meaning}
    ${
      edits && shown.mark !== "removed"
        ? nothing
        : isArray(value)
          ? html`<gguf-array-view
              .array=${value}
              label=${escapeText(entry.key, 80)}
              .query=${query}
              .companions=${companionsOf(metadata, entry)}
            ></gguf-array-view>`
          : html`<gguf-text-block
              .text=${valueText(value, entry.type)}
              label=${escapeText(entry.key, 80)}
            ></gguf-text-block>`
    }
  </div>`;
}
