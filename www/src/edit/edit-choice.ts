import type { KeyInfo, KeyValue, MetadataValue } from "gguf-wasm/explain";
import type { NewValue } from "gguf-wasm/full";
import { html } from "lit";
import { live } from "lit/directives/live.js";
import { allowedValue, labelledValue } from "../gguf/allowed-values.ts";
import type { ScalarType } from "./new-values.ts";

/**
 * A menu of the values that a key may have, above the field for any value. `apply` changes the entry. A value that does not have the
 * entry's type is left out.
 */
export function editChoice(
  info: KeyInfo & { values: readonly KeyValue[] },
  {
    type,
    value,
    label,
    apply,
  }: { type: ScalarType; value: MetadataValue; label: string; apply: (value: NewValue) => void },
) {
  const isText = type === "STRING";
  const fitting = info.values.filter((allowed) => (typeof allowed.value === "string") === isText);
  const current = allowedValue(info, value);
  const onChange = (event: Event) => {
    const chosen = fitting[(event.target as HTMLSelectElement).selectedIndex - 1];
    if (chosen === undefined) return;
    const is64 = type === "UINT64" || type === "INT64";
    apply(is64 && typeof chosen.value === "number" ? BigInt(chosen.value) : chosen.value);
  };
  return html`<label class="choice"
    >Allowed values<select aria-label="Allowed values of ${label}" @change=${onChange}>
      <option .selected=${live(current === undefined)} ?disabled=${current !== undefined}>Another value</option>
      ${fitting.map((allowed) => html`<option .selected=${live(allowed === current)}>${labelledValue(allowed)}</option>`)}
    </select></label
  >`;
}
