import type { MetadataValue } from "gguf-wasm";
import { html, nothing } from "lit";
import type { EditSession } from "../edit/edit-session.ts";
import { companionsOf } from "./companions.ts";
import type { ShownEntry } from "../gguf/edit-rows.ts";
import { counted, grouped, hex } from "../ui/numbers.ts";
import { copyText, isArray, typeLabel, valueText } from "./metadata-rows.ts";
import { visible } from "../ui/text.ts";
import { fileText } from "../ui/file-text.ts";

/** What is below an open row of the metadata: where the entry is, and its value, whole or to be edited. */
export function metadataDetail({
  shown,
  file,
  session,
  narrow,
  query,
}: {
  shown: ShownEntry;
  /** Where what belongs to the entry is looked for. */
  file: { readonly metadata: ReadonlyMap<string, MetadataValue> };
  /** While the file is edited. */
  session: EditSession | undefined;
  narrow: boolean;
  /** What is searched for in an array. */
  query: string;
}) {
  const { entry } = shown;
  const { value } = entry;
  const companions = companionsOf(file.metadata, entry);
  return html`<div class="detail-body">
    <div class="where">
      ${!session && (narrow || entry.key.length > 36) ? html`<span class="mono full">${fileText(entry.key)}</span>` : nothing}
      <span>${typeLabel(entry)}</span>
      <span title="${grouped(entry.offset)}, counted from the start of the file"
        >at <span class="mono">${hex(entry.offset)}</span></span
      >
      <span>${counted(entry.byteLength, "byte")} stored</span>
      <gguf-copy-button
        caption="Copy value"
        label="Copy value of ${visible(entry.key, 60)}"
        .text=${() => copyText(value, entry.type)}
      ></gguf-copy-button>
    </div>
    ${
      session
        ? html`<gguf-edit-entry
            .session=${session}
            .row=${shown}
            .query=${query}
            .companions=${companions}
          ></gguf-edit-entry>`
        : nothing
    }
    ${
      session && shown.mark !== "removed"
        ? nothing
        : isArray(value)
          ? html`<gguf-array-view
              .array=${value}
              label=${visible(entry.key, 80)}
              .query=${query}
              .companions=${companions}
            ></gguf-array-view>`
          : html`<gguf-text-block
              .text=${valueText(value, entry.type)}
              label=${visible(entry.key, 80)}
            ></gguf-text-block>`
    }
  </div>`;
}
