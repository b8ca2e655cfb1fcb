import type { MetadataValue } from "gguf-wasm/explain";
import { css, html, nothing } from "lit";
import { property } from "lit/decorators.js";
import { editText, parseScalar, type Parsed, type ScalarType, typeHint } from "./new-values.ts";
import { baseStyles } from "../ui/styles.ts";
import { EditControl } from "./edit-control.ts";
import { editStyles } from "./edit-styles.ts";
import { define } from "../ui/define.ts";

/** A field for an integer or a float. The number is compared with the range of its type at every key. */
export class GgufEditNumber extends EditControl {
  @property({ attribute: false }) value!: MetadataValue;
  @property() type!: ScalarType;

  protected readonly sourceProperties = ["value", "type"];

  static override styles = [
    baseStyles,
    editStyles,
    css`
      :host {
        display: grid;
        gap: 4px;
      }
      input {
        width: min(100%, calc(320 * var(--gguf-unit)));
      }
    `,
  ];

  protected initialText(): string {
    return editText(this.value, this.type);
  }

  protected parse(text: string): Parsed {
    return parseScalar(this.type, text);
  }

  override render() {
    const invalid = this.problem !== "";
    return html`<input
        data-value-field
        type="text"
        class="mono"
        inputmode=${this.type.startsWith("FLOAT") ? "decimal" : "numeric"}
        autocomplete="off"
        spellcheck="false"
        aria-label=${this.label}
        aria-invalid=${invalid}
        aria-describedby="hint problem"
        .value=${this.text}
        @input=${this.onInput}
        @change=${this.onChange}
        @keydown=${this.onKey}
      />
      <p id="hint" class="hint">${this.remark === "" ? typeHint(this.type) : this.remark}</p>
      <p id="problem" class="problem" role="alert" ?hidden=${!invalid}>${invalid ? this.problem : nothing}</p>`;
  }
}

define("gguf-edit-number", GgufEditNumber);
