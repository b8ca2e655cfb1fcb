/** The second template of a comparison: another template of the file, or one that a person pastes. */

import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { define } from "../ui/define.ts";
import "../gguf/line-diff.ts";
import { formatInteger } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";
import { textareaStyles } from "../ui/styles/fields.ts";
import { escapeText } from "../ui/text.ts";

/** Texts with more characters are not compared line by line. */
const MOST_COMPARED = 200_000;

/** The name of a template of the file in sentences and lists. */
export const templateTitle = (name: string) => (name === "" ? "Default" : escapeText(name, 60));

/** What is compared: the name of a template of the file, or a pasted text. */
export type ComparisonChoice = { readonly against?: string; readonly pasted?: string };

/** The differing lines of two texts, or why they are not compared. */
export function renderTextDifference(from: string, to: string) {
  return Math.max(from.length, to.length) > MOST_COMPARED
    ? html`<p class="hint">
        The texts are too long to be compared: more than ${formatInteger(MOST_COMPARED)} characters.
      </p>`
    : html`<gguf-line-diff .from=${from} .to=${to}></gguf-line-diff>`;
}

/** Chooses the second template, and shows the differing lines. The event `gguf-second-template` reports a choice (detail: the choice). */
export class GgufSecondTemplate extends LitElement {
  /** The names of the other templates of the file. */
  @property({ attribute: false }) names: readonly string[] = [];
  @property({ attribute: false }) choice: ComparisonChoice = {};
  @property() source = "";
  /** The text of the second template. Undefined: there is none. */
  @property({ attribute: false }) second: string | undefined;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: grid;
        gap: 8px;
        min-width: 0;
      }
      select {
        width: 100%;
        max-width: calc(360 * var(--gguf-unit));
      }
      ${textareaStyles}
      .hint {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
    `,
  ];

  override render() {
    const { against, pasted } = this.choice;
    return html`<select aria-label="Template to compare with" @change=${this.#onChoice}>
        <option value="" .selected=${live(against === undefined && pasted === undefined)}>Nothing</option>
        ${this.names.map(
          (name) =>
            html`<option value="=${name}" .selected=${live(name === against && pasted === undefined)}>
              ${templateTitle(name)}
            </option>`,
        )}
        <option value="pasted" .selected=${live(pasted !== undefined)}>A template that you paste</option>
      </select>
      ${
        pasted === undefined
          ? nothing
          : html`<textarea
              rows="6"
              aria-label="Template to compare with, as text"
              placeholder="Paste a template here."
              autocomplete="off"
              autocapitalize="off"
              spellcheck="false"
              .value=${live(pasted)}
              @input=${(event: Event) => this.#choose({ pasted: (event.target as HTMLTextAreaElement).value })}
            ></textarea>`
      }
      ${this.second === undefined ? nothing : renderTextDifference(this.source, this.second)}`;
  }

  readonly #onChoice = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    this.#choose(value === "" ? {} : value === "pasted" ? { pasted: "" } : { against: value.slice(1) });
  };

  #choose(detail: ComparisonChoice): void {
    this.dispatchEvent(new CustomEvent("gguf-second-template", { detail }));
  }
}

define("gguf-second-template", GgufSecondTemplate);
