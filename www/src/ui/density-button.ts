import { css, html, LitElement } from "lit";
import { define } from "./define.ts";
import { setDensity, TableDensity } from "./density.ts";
import { icons } from "./icons.ts";
import { baseStyles } from "./styles.ts";

/** Switches all tables between the dense and the comfortable form. */
export class GgufDensityButton extends LitElement {
  readonly #density = new TableDensity(this);

  static override styles = [
    baseStyles,
    css`
      :host {
        display: inline-flex;
        flex: none;
      }
    `,
  ];

  override render() {
    const { isDense } = this.#density;
    return html`<button
      type="button"
      class="quiet icon"
      aria-pressed=${isDense}
      aria-label="Dense rows"
      title=${isDense ? "Dense rows. Switch to comfortable rows" : "Comfortable rows. Switch to dense rows"}
      @click=${() => setDensity(isDense ? "comfortable" : "dense")}
    >
      ${icons.rows}
    </button>`;
  }
}

define("gguf-density-button", GgufDensityButton);
