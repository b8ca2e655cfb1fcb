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
        margin-inline-start: auto;
      }
    `,
  ];

  override render() {
    const { isDense } = this.#density;
    const [shown, next] = isDense ? (["dense", "comfortable"] as const) : (["comfortable", "dense"] as const);
    const label = `Rows: ${shown}. Switch to ${next}`;
    return html`<button
      type="button"
      class="quiet icon"
      aria-label=${label}
      title=${label}
      @click=${() => setDensity(next)}
    >
      ${icons[shown]}
    </button>`;
  }
}

define("gguf-density-button", GgufDensityButton);
