import type { LegacyFamily } from "gguf-wasm/convert";
import { html, nothing } from "lit";
import type { LegacyDetails } from "../gguf/opened-model.ts";
import { icons } from "../ui/icons.ts";
import { formatCount } from "../ui/numbers.ts";
import { familyTitle } from "../gguf/family-titles.ts";

/** What is not certain about a legacy model: its family, if several fit, and whether all its files are there. */
export function renderLegacyNotice({ model }: LegacyDetails) {
  const { family, alternatives, parts, partCount } = model;
  const choose = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    event.target?.dispatchEvent(
      new CustomEvent("gguf-legacy-family", { detail: value as LegacyFamily, bubbles: true, composed: true }),
    );
  };
  return html`${
    alternatives.length === 0
      ? nothing
      : html`<div class="problem family" role="status">
          ${icons.warning}
          <p>
            <strong>The file fits several families.</strong> Their files have the same structure, so the file does not
            say which it is.
            <label
              >Shown as
              <select @change=${choose}>
                ${[family, ...alternatives].map((one) => html`<option value=${one}>${familyTitle(one)}</option>`)}
              </select></label
            >
          </p>
        </div>`
  }
  ${
    parts.length >= partCount
      ? nothing
      : html`<div class="problem" role="alert">
          ${icons.warning}
          <p>
            <strong
              >The model has ${formatCount(partCount, "file")}, and
              ${parts.length === 1 ? "only one is" : `only ${parts.length} are`} open.</strong
            >
            Open them together: select the file and those whose names end in .1, .2 and so on.
          </p>
        </div>`
  }`;
}
