import type { MetadataValue } from "gguf-wasm";
import { html, type TemplateResult } from "lit";
import type { ScalarType } from "./new-values.ts";
import type { Apply } from "./edit-control.ts";
import "./edit-boolean.ts";
import "./edit-number.ts";
import "./edit-string.ts";

/** One value that is no array, and all that a control needs to change it. */
export interface Editable {
  type: ScalarType;
  value: MetadataValue;
  /** What it is the value of. */
  label: string;
  apply: Apply;
  drafts: Map<string, string>;
  draftId: string;
  /** The bytes of a string as stored. */
  stored: () => Uint8Array;
  /** Whether it is a string that is meant to have several lines. */
  long?: boolean;
}

/** The control that fits a value's type. */
export function editValue({ type, value, label, apply, drafts, draftId, stored, long }: Editable): TemplateResult {
  switch (type) {
    case "STRING":
      return html`<gguf-edit-string
        .value=${String(value)}
        .stored=${stored}
        .label=${label}
        .long=${long ?? false}
        .apply=${apply}
        .drafts=${drafts}
        .draftId=${draftId}
      ></gguf-edit-string>`;
    case "BOOL":
      return html`<gguf-edit-boolean .value=${value} .label=${label} .apply=${apply}></gguf-edit-boolean>`;
    default:
      return html`<gguf-edit-number
        .value=${value}
        .type=${type}
        .label=${label}
        .apply=${apply}
        .drafts=${drafts}
        .draftId=${draftId}
      ></gguf-edit-number>`;
  }
}
