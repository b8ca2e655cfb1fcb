import type { MetadataValue } from "gguf-wasm/explain";
import { html, type TemplateResult } from "lit";
import type { ScalarType } from "./new-values.ts";
import type { Apply } from "./edit-control.ts";
import "./edit-boolean.ts";
import "./edit-number.ts";
import "./edit-string.ts";

/** A value that is not an array, with the properties that its control needs. */
export interface Editable {
  type: ScalarType;
  value: MetadataValue;
  /** The name of the control for screen readers. */
  label: string;
  apply: Apply;
  drafts: Map<string, string>;
  draftId: string;
  /** The stored bytes of a string. */
  stored: () => Uint8Array;
  /** Whether a string gets a field with several lines even if it has one line. */
  long?: boolean;
}

/** The control for the type of a value. */
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
